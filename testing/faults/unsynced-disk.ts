import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { DiskAnswer, DiskCommand } from './unsynced-disk-server.ts'

/** A disk of its own that forgets what was not synced when its power is cut. */
export interface UnsyncedDisk {
  /** Where it is mounted: another place after each cut. */
  readonly folder: string
  /** From now on nothing is written, and each attempt is answered EIO. */
  cut(): Promise<void>
  /**
   * The power is back, when the programs that used the disk are gone. With a seed, parts of what was not synced are
   * there too, as a disk's own cache may have written them. @returns how many unsynced pages are gone or half there
   */
  restore(seed?: number): Promise<number>
  close(): Promise<void>
}

/** Whether this user may mount a file system of a process of its own (Linux with FUSE, as root). */
export function mayMountUnsyncedDisk(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !fs.existsSync('/dev/fuse')) return false
  return fs.readFileSync('/proc/filesystems', 'utf8').split('\n').includes('nodev\tfuse')
}

/** @param content a folder whose copy is the first content, synced */
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

/** Lazily: a process that was killed a moment ago may still hold a file of it. */
function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
}

/** One command at a time. */
async function nextAnswer(server: ChildProcess): Promise<DiskAnswer> {
  const [message] = (await once(server, 'message')) as [DiskAnswer]
  return message
}
