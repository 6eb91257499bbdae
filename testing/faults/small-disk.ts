import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Fills the disk up to `leaving` free bytes (whole pages of 4,096); default: none. */
  fill(leaving?: number): void
  /** Removes what `fill` wrote. */
  free(): void
  unmount(): void
}

/** A file system in memory that can be full. Undefined where this user may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-disk-'))
  const options = `size=${megabytes}m,mode=0700`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) {
    fs.rmdirSync(folder)
    return undefined
  }
  const filler = path.join(folder, '.filler')
  return {
    folder,
    fill(leaving = 0) {
      const file = fs.openSync(filler, 'a')
      try {
        for (const bytes of [1_048_576, 4_096, 1]) {
          const block = Buffer.alloc(bytes)
          try {
            while (fs.writeSync(file, block) === bytes);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          }
        }
        fs.ftruncateSync(file, Math.max(0, fs.fstatSync(file).size - leaving))
      } finally {
        fs.closeSync(file)
      }
    },
    free: () => fs.rmSync(filler, { force: true }),
    unmount() {
      spawnSync('umount', ['-l', folder])
      fs.rmdirSync(folder)
    },
  }
}
