import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { FileStore, StoredFile } from './file-store.ts'

const KEY = /^[\w-]+(\/[\w-]+)*$/
const CHUNKS = { highWaterMark: 1024 * 1024 }

/**
 * Files in a folder. Hard links instead of copies move them in and out, so source and target must be on one file
 * system.
 * Tested by `platform/objects/file-store.test.ts`.
 */
export function folderFiles(folder: string): FileStore {
  const fileOf = (key: string) => {
    if (!KEY.test(key)) throw new RangeError('not a key of a file')
    return path.join(folder, key)
  }
  const find = (key: string): StoredFile | undefined => {
    const stat = fs.statSync(fileOf(key), { throwIfNoEntry: false })
    return stat && { key, size: stat.size, storedAtMs: stat.mtimeMs }
  }
  return {
    place: folder,
    async keep(key, given) {
      const file = fileOf(key)
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${given}.${randomUUID()}`
      link(given, draft)
      moveWhole(draft, file)
    },
    async copyTo(key, file) {
      if (find(key) === undefined) return false
      link(fileOf(key), file)
      return true
    },
    read: async key => (find(key) ? fs.createReadStream(fileOf(key), CHUNKS) : undefined),
    find: async key => find(key),
    async list(prefix) {
      const below = path.join(folder, prefix)
      const entries = fs.existsSync(below) ? fs.readdirSync(below, { recursive: true, withFileTypes: true }) : []
      return entries.flatMap(entry => {
        const key = path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
        // Another process may delete a file meanwhile.
        return entry.isFile() && KEY.test(key) ? (find(key) ?? []) : []
      })
    },
    async remove(key) {
      fs.rmSync(fileOf(key), { force: true })
    },
  }
}

function link(from: string, to: string): void {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    // Some file systems do not support hard links.
    if (!/^(EPERM|ENOTSUP|ENOSYS|EMLINK)$/.test(String((error as NodeJS.ErrnoException).code))) throw error
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL)
  }
}

/** Flushes the file before it gets its name, and the name before the caller relies on it. */
function moveWhole(temporary: string, kept: string): void {
  const file = fs.openSync(temporary, 'r+')
  fs.fsyncSync(file)
  fs.closeSync(file)
  fs.renameSync(temporary, kept)
  const folder = fs.openSync(path.dirname(kept), 'r')
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}
