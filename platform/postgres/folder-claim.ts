import fs from 'node:fs'
import path from 'node:path'
import { isAlive, type ProcessIdentity, thisProcess } from '../process-identity.ts'

/** Another process runs the server of this folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning'
  readonly owner: ProcessIdentity
  constructor(folder: string, owner: ProcessIdentity) {
    super(`already running: process ${owner.pid} uses the database in ${folder}. Stop it first.`)
    this.owner = owner
  }
}

/** Who runs the server of a folder, and where it can be reached. */
interface Owner extends ProcessIdentity {
  readonly socketFolder: string
}

/** The living process that runs the server of the folder. */
export function ownerOfFolder(folder: string): Owner | undefined {
  const owner = readOwner(ownerFile(folder))
  return owner && isAlive(owner) ? owner : undefined
}

/** Writes down that this process runs the server of the folder. @throws AlreadyRunning when another one does. */
export function claimFolder(folder: string, socketFolder: string): void {
  const file = ownerFile(folder)
  const mine: Owner = { ...thisProcess(), socketFolder }
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 })
  try {
    for (;;) {
      try {
        fs.linkSync(draft, file) // unlike a rename, this fails when the file exists
        return
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const owner = readOwner(ownerFile(folder))
      if (owner && isAlive(owner)) {
        if (owner.socketFolder !== socketFolder) fs.rmSync(socketFolder, { recursive: true, force: true })
        throw new AlreadyRunning(folder, owner)
      }
      removeStaleClaim(folder)
      if (owner && owner.socketFolder !== socketFolder) fs.rmSync(owner.socketFolder, { recursive: true, force: true })
    }
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Two starts may find the same stale claim: what the other one wrote meanwhile is put back. */
function removeStaleClaim(folder: string): void {
  const file = ownerFile(folder)
  const aside = `${file}.stale.${process.pid}`
  try {
    fs.renameSync(file, aside)
    const moved = readOwner(aside)
    if (moved && isAlive(moved)) fs.linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    fs.rmSync(aside, { force: true })
  }
}

export function releaseFolder(folder: string, socketFolder: string): void {
  fs.rmSync(socketFolder, { recursive: true, force: true })
  fs.rmSync(ownerFile(folder), { force: true })
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

const ownerFile = (folder: string) => path.join(folder, 'owner.json')
