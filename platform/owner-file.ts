import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { isAlive, type ProcessIdentity } from './process-identity.ts'

/**
 * Claims exclusive ownership by a file that names the owning process. The claim of a process that no longer runs is
 * replaced.
 * @param onStale receives the replaced claim, if it was readable
 * @returns the living owner; undefined: `mine` now owns it
 */
export function claimOwnerFile<Owner extends ProcessIdentity>(
  file: string,
  mine: Owner,
  onStale: (owner: Owner) => void = () => {},
): Owner | undefined {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  fs.writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 })
  try {
    for (;;) {
      try {
        fs.linkSync(draft, file) // unlike a rename, this fails when the file exists; unlike a write, it is never half there
        return undefined
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const owner = readOwnerFile<Owner>(file)
      if (owner && isAlive(owner)) return owner
      removeStaleClaim(file)
      if (owner) onStale(owner)
    }
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/**
 * Moves a stale claim aside. Two processes may do so at the same time: if the moved file is a new claim, it is put
 * back.
 */
function removeStaleClaim(file: string): void {
  const aside = `${file}.stale.${randomBytes(4).toString('hex')}`
  try {
    fs.renameSync(file, aside)
    const moved = readOwnerFile(aside)
    if (moved && isAlive(moved)) fs.linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    fs.rmSync(aside, { force: true })
  }
}

export function readOwnerFile<Owner extends ProcessIdentity>(file: string): Owner | undefined {
  try {
    const owner = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Owner>
    return typeof owner.pid === 'number' && typeof owner.startedAt === 'string' ? (owner as Owner) : undefined
  } catch {
    return undefined
  }
}
