import { parseArgs } from 'node:util'
import { IMPORT_LOCK_KEY } from '@pc/features/ingest/server/import-lock.ts'
import { ArchiveError } from '@pc/platform/backup/archive-file.ts'
import { archiveSecret } from '@pc/platform/backup/archive-secret.ts'
import { backUp } from '@pc/platform/backup/back-up.ts'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { printFailure, UsageError } from './print-failure.ts'

// What it does is tested by `apps/server/backup-drill.test.ts`, what it refuses by `apps/server/commands/refused-usage.test.ts`.
const USAGE = `npm run backup -- <file> [--key-file <file> | --passphrase-file <file>]
Writes everything that the embedded parts keep in DATA_DIR into one file, also while the system runs.
With a key file (32 random bytes or more, for example: head -c 32 /dev/urandom > backup.key) it is encrypted, or with a
passphrase of 12 characters or more, in a file or in BACKUP_PASSPHRASE.`

const UNPROTECTED = `このファイルは暗号化されていません。中には、暗号化した秘密情報と、それを開く鍵（secrets.key）の両方が入っています。
ほかの場所に置くときは、--key-file、--passphrase-file、または BACKUP_PASSPHRASE を指定して取り直してください。`

/** Errors whose message is for the person at the terminal. */
const isExpected = (error: Error & { code?: string }) =>
  error instanceof ArchiveError || error instanceof ConfigError || error.code === 'ENOENT'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'key-file': { type: 'string' }, 'passphrase-file': { type: 'string' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError()
  const config = readConfig(process.env)
  if (config.databaseUrl !== undefined)
    throw new ArchiveError('DATABASE_URL is set: back up that server with its own tools (docs/production.md).')
  const key = archiveSecret({
    keyFile: values['key-file'],
    passphraseFile: values['passphrase-file'],
    passphrase: config.backupPassphrase,
  })
  const startedAt = performance.now()
  const { files, bytes } = await backUp(config.dataDir, file, {
    key,
    importLockKey: IMPORT_LOCK_KEY,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${file}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s${key ? ', encrypted' : ''}`)
  if (!key) console.error(UNPROTECTED)
}

main().catch((error: Error) => {
  process.exitCode = printFailure(error, USAGE, isExpected)
})
