import { parseArgs } from 'node:util'
import { IMPORT_LOCK_KEY } from '@pc/features/ingest/server/import-turn.ts'
import { ArchiveError, readKeyFile } from '@pc/platform/backup/archive-file.ts'
import { backUp } from '@pc/platform/backup/back-up.ts'
import { ConfigError, readConfig } from '@pc/platform/config.ts'

const USAGE = `npm run backup -- <file> [--key-file <file>]
Writes everything that the embedded parts keep in DATA_DIR into one file, also while the system runs.
With a key file (32 random bytes or more, for example: head -c 32 /dev/urandom > backup.key) it is encrypted.`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'key-file': { type: 'string' } } })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new ArchiveError(USAGE)
  const config = readConfig(process.env)
  if (config.databaseUrl !== undefined)
    throw new ArchiveError('DATABASE_URL is set: back up that server with its own tools (docs/production.md).')
  const keyFile = values['key-file']
  const startedAt = performance.now()
  const { files, bytes } = await backUp(config.dataDir, file, {
    key: keyFile === undefined ? undefined : readKeyFile(keyFile),
    importLockKey: IMPORT_LOCK_KEY,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${file}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s${keyFile ? ', encrypted' : ''}`)
}

main().catch((error: Error & { code?: string }) => {
  const isUsage = error.code?.startsWith('ERR_PARSE_ARGS')
  const isExpected = error instanceof ArchiveError || error instanceof ConfigError || error.code === 'ENOENT'
  console.error(isUsage ? `${error.message}\n${USAGE}` : isExpected ? error.message : error)
  process.exitCode = isUsage ? 2 : 1
})
