import fs from 'node:fs'
import path from 'node:path'
import { claimOwnerFile, readOwnerFile } from '../owner-file.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../process-identity.ts'

/**
 * Another process runs the server of this folder.
 * Tested by `platform/postgres/launch-postgres.test.ts`.
 */
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
  const owner = readOwnerFile<Owner>(ownerFile(folder))
  return owner && isAlive(owner) ? owner : undefined
}

/** Writes down that this process runs the server of the folder. @throws AlreadyRunning when another one does. */
export function claimFolder(folder: string, socketFolder: string): void {
  const remove = (unused: string) => fs.rmSync(unused, { recursive: true, force: true })
  const mine: Owner = { ...thisProcess(), socketFolder }
  const other = claimOwnerFile(ownerFile(folder), mine, stale => {
    // The socket folder that a process left when it died.
    if (stale.socketFolder !== socketFolder) remove(stale.socketFolder)
  })
  if (!other) return
  // The one that was made for this start, which now ends.
  if (other.socketFolder !== socketFolder) remove(socketFolder)
  throw new AlreadyRunning(folder, other)
}

export function releaseFolder(folder: string, socketFolder: string): void {
  fs.rmSync(socketFolder, { recursive: true, force: true })
  fs.rmSync(ownerFile(folder), { force: true })
}

const ownerFile = (folder: string) => path.join(folder, 'owner.json')
