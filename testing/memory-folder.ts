import fs from 'node:fs'
import os from 'node:os'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'

/** A file system in memory on every Linux; in a container it may be small. */
const MEMORY_FOLDER = '/dev/shm'
/** Several times the size of all temporary files of a whole run. */
const ENOUGH_BYTES = 8 * 1024 ** 3

/**
 * Keeps the temporary files of this process and its children in memory, where there is enough. Each test database has
 * some 1,100 files; on ext4 an eighth of the processor time went into allocating them.
 */
export function keepTemporaryFilesInMemory(): void {
  process.env.TMPDIR = makeTemporaryFolder(undefined, memoryFolder()).path
}

/** A folder in memory, or the usual temporary folder where memory is short. */
export function memoryFolder(): string {
  try {
    fs.accessSync(MEMORY_FOLDER, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(MEMORY_FOLDER)
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES ? MEMORY_FOLDER : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}
