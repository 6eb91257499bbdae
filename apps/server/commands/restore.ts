import { parseArgs } from 'node:util'
import { ArchiveError } from '@pc/platform/backup/archive-file.ts'
import { archiveSecret } from '@pc/platform/backup/archive-secret.ts'
import { restore } from '@pc/platform/backup/back-up.ts'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { printFailure, UsageError } from './print-failure.ts'

// What it does is tested by `apps/server/backup-drill.test.ts`, what it refuses by `apps/server/commands/refused-usage.test.ts`.
const USAGE = `npm run restore -- <backup> --into <new folder> [--key-file <file> | --passphrase-file <file>]
Makes a data folder of a backup. Then start the system with DATA_DIR set to that folder.
A passphrase may also be in BACKUP_PASSPHRASE.`

/** Errors whose message is for the person at the terminal. */
const isExpected = (error: Error & { code?: string }) =>
  error instanceof ArchiveError || error instanceof ConfigError || error.code === 'ENOENT'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { into: { type: 'string' }, 'key-file': { type: 'string' }, 'passphrase-file': { type: 'string' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || values.into === undefined || more.length > 0) throw new UsageError()
  const key = archiveSecret({
    keyFile: values['key-file'],
    passphraseFile: values['passphrase-file'],
    passphrase: readConfig(process.env).backupPassphrase,
  })
  const startedAt = performance.now()
  const { files } = await restore(file, values.into, key)
  console.log(`${files} files in ${values.into}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  console.log(`Start it with: DATA_DIR=${values.into} npm start`)
}

main().catch((error: Error) => {
  process.exitCode = printFailure(error, USAGE, isExpected)
})
