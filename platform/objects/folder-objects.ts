import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { ObjectStore } from './object-store.ts'

const KEY = /^[a-z]+\/[a-z0-9-]+\.[a-z]+$/

/**
 * Small files in a folder. Each is written to a temporary name, flushed and then linked, so it appears complete or not
 * at all and is never overwritten.
 */
export function folderObjects(folder: string): ObjectStore {
  const fileOf = (key: string) => {
    if (!KEY.test(key)) throw new RangeError('not a key of an object')
    return path.join(folder, key)
  }
  const read = (key: string) => fs.readFile(fileOf(key)).catch(undefinedWhen('ENOENT'))
  return {
    read,
    async readSent(key, maxBytes) {
      const file = await fs.stat(fileOf(key)).catch(undefinedWhen('ENOENT'))
      return file && file.size > maxBytes ? 'too-large' : read(key)
    },
    async create(key, bytes) {
      const file = fileOf(key)
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const temporary = `${file}.${randomUUID()}.part`
      try {
        await fs.writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
        // A link, unlike a rename, fails when the name is taken.
        return (
          (await fs
            .link(temporary, file)
            .then(() => true)
            .catch(undefinedWhen('EEXIST'))) ?? false
        )
      } finally {
        await fs.rm(temporary, { force: true })
      }
    },
    async remove(key) {
      await fs.rm(fileOf(key), { force: true })
    },
    presignPut: async () => undefined,
  }
}

function undefinedWhen(code: string) {
  return (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code === code) return undefined
    throw error
  }
}
