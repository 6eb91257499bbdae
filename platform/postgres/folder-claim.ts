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

/** Claims the folder for this process. @throws AlreadyRunning when another process has it */
export function claimFolder(folder: string, socketFolder: string): void {
  const remove = (unused: string) => fs.rmSync(unused, { recursive: true, force: true })
  const mine: Owner = { ...thisProcess(), socketFolder }
  const other = claimOwnerFile(ownerFile(folder), mine, stale => {
    // Left behind by a process that crashed.
    if (stale.socketFolder !== socketFolder) remove(stale.socketFolder)
  })
  if (!other) return
  // The folder was created for this start, which fails now.
  if (other.socketFolder !== socketFolder) remove(socketFolder)
  throw new AlreadyRunning(folder, other)
}

export function releaseFolder(folder: string, socketFolder: string): void {
  fs.rmSync(socketFolder, { recursive: true, force: true })
  fs.rmSync(ownerFile(folder), { force: true })
}

const ownerFile = (folder: string) => path.join(folder, 'owner.json')
