import fs from 'node:fs'
import { ArchiveError, type ArchiveSecret, demandPassphrase, readKeyFile } from './archive-file.ts'

/**
 * The key or passphrase that the operator named, by an option of the command or by a setting. Naming two is an error:
 * it would be unclear which one opens the backup. Undefined: no encryption. @throws ArchiveError
 */
export function archiveSecret(named: {
  readonly keyFile: string | undefined
  readonly passphraseFile: string | undefined
  /** `BACKUP_PASSPHRASE`. */
  readonly passphrase: string | undefined
}): ArchiveSecret | undefined {
  const { keyFile, passphraseFile, passphrase } = named
  if (keyFile !== undefined && passphraseFile !== undefined)
    throw new ArchiveError('--key-file と --passphrase-file は、どちらか一方だけを指定してください。')
  if (keyFile !== undefined) return readKeyFile(keyFile)
  if (passphraseFile !== undefined)
    return demandPassphrase(fs.readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, ''))
  return passphrase === undefined ? undefined : demandPassphrase(passphrase)
}
