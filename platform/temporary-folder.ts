import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isAlive, type ProcessIdentity, thisProcess } from './process-identity.ts'

const PREFIX = 'pc-temporary-'
const OWNER_FILE = 'run.json'

export interface TemporaryFolder {
  readonly path: string
  remove(): void
}

/**
 * A temporary folder that is deleted when this process exits. If the process is killed, the next call in any process
 * deletes it (same parent folder).
 */
export function makeTemporaryFolder(
  beforeRemoval: () => void = () => {},
  parent: string = os.tmpdir(),
): TemporaryFolder {
  removeLeftovers(parent)
  const folder = fs.mkdtempSync(path.join(parent, PREFIX))
  fs.writeFileSync(path.join(folder, OWNER_FILE), JSON.stringify(thisProcess()))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  const onExit = () => {
    beforeRemoval()
    remove()
  }
  process.once('exit', onExit)
  return {
    path: folder,
    remove() {
      process.off('exit', onExit)
      remove()
    },
  }
}

function removeLeftovers(parent: string): void {
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const folder = path.join(parent, name)
    try {
      if (isOwn(folder) && isAbandoned(folder)) fs.rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another process is deleting it, or it belongs to another user.
    }
  }
}

/** False for links, and for folders of other users. */
function isOwn(folder: string): boolean {
  const found = fs.lstatSync(folder)
  return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)
}

function isAbandoned(folder: string): boolean {
  const ownerFile = path.join(folder, OWNER_FILE)
  // The owner file is written right after creation. Without it the folder is new, or its deletion was interrupted.
  if (!fs.existsSync(ownerFile)) return fs.statSync(folder).mtimeMs < Date.now() - 600_000
  return !isAlive(JSON.parse(fs.readFileSync(ownerFile, 'utf8')) as ProcessIdentity)
}
