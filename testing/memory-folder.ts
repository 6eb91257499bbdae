import fs from 'node:fs'
import os from 'node:os'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'

/** A file system in memory that every Linux has; in a container it may be small. */
const MEMORY_FOLDER = '/dev/shm'
/** Several times what the temporary files of a whole run take at once. */
const ENOUGH_BYTES = 8 * 1024 ** 3

/**
 * The temporary files of this process and of those that it starts are kept in memory, where there is enough of it. Each database
 * of the tests is some 1,100 files: on ext4 an eighth of the processors' time went into finding places for them.
 */
export function keepTemporaryFilesInMemory(): void {
  process.env.TMPDIR = makeTemporaryFolder(undefined, memoryFolder()).path
}

/** A folder in memory, or the usual one for temporary files where there is little memory. */
export function memoryFolder(): string {
  try {
    fs.accessSync(MEMORY_FOLDER, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(MEMORY_FOLDER)
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES ? MEMORY_FOLDER : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}
