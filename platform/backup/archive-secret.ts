import fs from 'node:fs'
import { ArchiveError, type ArchiveSecret, demandPassphrase, readKeyFile } from './archive-file.ts'

/**
 * What the operator named to encrypt or to open a backup, by options of the command or by the setting. Two of them would
 * leave open which one the backup needs.
 * @throws ArchiveError
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
