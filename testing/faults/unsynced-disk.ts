import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { DiskAnswer, DiskCommand } from './unsynced-disk-server.ts'

/** A disk that loses unsynced data when its power is cut. */
export interface UnsyncedDisk {
  /** Mount point; it changes after each cut. */
  readonly folder: string
  /** Cuts the power: from now on nothing is written, and every request fails with EIO. */
  cut(): Promise<void>
  /**
   * Restores the power, once the programs that used the disk have ended. With a seed, parts of the unsynced data
   * survive, as a disk's cache may have written them.
   * @returns how many unsynced pages are lost or torn
   */
  restore(seed?: number): Promise<number>
  close(): Promise<void>
}

/** Whether this user may mount a file system served by a process (Linux with FUSE, as root). */
export function mayMountUnsyncedDisk(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !fs.existsSync('/dev/fuse')) return false
  return fs.readFileSync('/proc/filesystems', 'utf8').split('\n').includes('nodev\tfuse')
}

/** @param content a folder that is copied as the first, synced content */
export async function unsyncedDisk(content: string): Promise<UnsyncedDisk> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-cut-'))
  const server = spawn(process.execPath, [path.join(import.meta.dirname, 'unsynced-disk-server.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = once(server, 'exit').then((): DiskAnswer => ({ id: 0, error: 'its process ended' }))
  let id = 0
  const send = async (command: Omit<DiskCommand, 'id'>): Promise<DiskAnswer> => {
    id += 1
    server.send({ id, ...command })
    const answer = await Promise.race([nextAnswer(server), gone])
    if (answer.error !== undefined) throw new Error(`the disk: ${answer.error}`)
    return answer
  }
  const mountAgain = async () => {
    disk.folder = path.join(root, String(id))
    fs.mkdirSync(disk.folder)
    await send({ mount: disk.folder })
  }
  const disk = {
    folder: '',
    cut: async () => void (await send({ cut: true })),
    async restore(seed?: number) {
      unmount(disk.folder)
      const { forgotten = 0 } = await send({ forget: seed === undefined ? {} : { seed } })
      await mountAgain()
      return forgotten
    },
    async close() {
      unmount(disk.folder)
      server.kill('SIGKILL')
      await gone
      fs.rmSync(root, { recursive: true, force: true })
    },
  }
  await send({ load: content })
  await mountAgain()
  return disk
}

/** A lazy unmount, because a process killed a moment ago may still hold a file. */
function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
}

/** Commands run one at a time. */
async function nextAnswer(server: ChildProcess): Promise<DiskAnswer> {
  const [message] = (await once(server, 'message')) as [DiskAnswer]
  return message
}
