import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { checkFolder } from '@pc/platform/folder-error.ts'
import { claimOwnerFile } from '@pc/platform/owner-file.ts'
import { thisProcess } from '@pc/platform/process-identity.ts'

/** Limit of the kernels for socket paths: 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH_BYTES = 100

export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'
}

export interface DataFolder {
  /** Path for the control socket, in a folder that only the owner can enter. */
  readonly controlSocket: string
  /** Publishes the socket's path in the data folder for commands (`npm run token`, `npm run ingest`). */
  announce(): void
  release(): void
}

/**
 * Claims the data folder for this process. With external stores several processes may share it, each under the name of
 * its services.
 * @throws AlreadyRunningError, in words for the operator, when another process has it
 */
export function claimDataFolder(dataDir: string, name: string): DataFolder {
  checkFolder('DATA_DIR', dataDir)
  const run = path.join(dataDir, 'run')
  fs.mkdirSync(run, { recursive: true, mode: 0o700 })
  fs.chmodSync(run, 0o700)
  const ownerFile = path.join(run, `owner-${name}.json`)
  claimOwnership(ownerFile, dataDir)
  const inside = path.join(run, `control-${name}.sock`)
  const isShort = Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES
  const socketFolder = isShort ? run : fs.mkdtempSync(path.join(os.tmpdir(), 'publisher-center-'))
  const controlSocket = isShort ? inside : path.join(socketFolder, 'control.sock')
  const serverFile = path.join(run, 'server.json')
  fs.rmSync(controlSocket, { force: true })
  return {
    controlSocket,
    announce() {
      const draft = `${serverFile}.${randomBytes(4).toString('hex')}`
      fs.writeFileSync(draft, JSON.stringify({ pid: process.pid, controlSocket }), { mode: 0o600 })
      fs.renameSync(draft, serverFile)
    },
    release() {
      for (const file of [serverFile, controlSocket, ownerFile]) fs.rmSync(file, { force: true })
      if (!isShort) fs.rmSync(socketFolder, { recursive: true, force: true })
    },
  }
}

function claimOwnership(ownerFile: string, dataDir: string): void {
  const owner = claimOwnerFile(ownerFile, thisProcess())
  if (owner)
    throw new AlreadyRunningError(
      `Publisher Center is already running with DATA_DIR=${dataDir} (process ${owner.pid}). Stop it first, or set another DATA_DIR.`,
    )
}
