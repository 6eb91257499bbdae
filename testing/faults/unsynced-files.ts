import fs from 'node:fs'
import path from 'node:path'
import { randomFrom } from '../statistics/stats-rows.ts'

/** Unit that survives a power cut completely or not at all; a PostgreSQL page has two of them. */
export const PAGE_BYTES = 4_096
export const FOLDER_MODE = 0o040_000
export const FILE_MODE = 0o100_000
const KIND_BITS = 0o170_000
export const ROOT_INODE = 1

/** A file or folder with its current state and the state after a power cut. */
export interface Inode {
  readonly number: number
  mode: number
  uid: number
  gid: number
  changedAtMs: number
  links: number
  /** Only of symbolic links. */
  readonly target?: string
  /** Only of folders: inode numbers by name. */
  readonly entries?: Map<string, number>
  size: number
  pages: Map<number, Buffer>
  /** Numbers of pages that were written or cut off since the last sync. */
  readonly unsynced: Set<number>
  /** State of the last sync, the least that a power cut leaves. */
  kept: { size: number; readonly pages: Map<number, Buffer>; entries: ReadonlyMap<string, number>; mode: number }
}

/**
 * Files in memory that lose unsynced data in a power cut. Syncing a file keeps its content and, as the journals of ext4
 * and XFS do, all earlier changes of names in every folder. A power cut discards the rest or, because real disks also
 * write by themselves, leaves a random part of it, page by page.
 */
export class UnsyncedFiles {
  #inodes = new Map<number, Inode>()
  #next = ROOT_INODE
  readonly #changedFolders = new Set<Inode>()
  unsyncedPagesForgotten = 0

  constructor() {
    this.make(FOLDER_MODE | 0o755, 0, 0)
    this.syncNames()
  }

  get(number: number): Inode | undefined {
    return this.#inodes.get(number)
  }

  make(mode: number, uid: number, gid: number, target?: string): Inode {
    const isFolder = (mode & KIND_BITS) === FOLDER_MODE
    const inode: Inode = {
      number: this.#next,
      mode,
      uid,
      gid,
      changedAtMs: Date.now(),
      links: isFolder ? 2 : 1,
      ...(target === undefined ? {} : { target }),
      ...(isFolder ? { entries: new Map<string, number>() } : {}),
      size: target === undefined ? 0 : Buffer.byteLength(target),
      pages: new Map(),
      unsynced: new Set(),
      kept: { size: 0, pages: new Map(), entries: new Map(), mode },
    }
    this.#next += 1
    this.#inodes.set(inode.number, inode)
    if (isFolder) this.#changedFolders.add(inode)
    return inode
  }

  name(folder: Inode, name: string, inode: Inode): void {
    folder.entries!.set(name, inode.number)
    this.#touch(folder)
  }

  unname(folder: Inode, name: string): void {
    folder.entries!.delete(name)
    this.#touch(folder)
  }

  #touch(folder: Inode): void {
    folder.changedAtMs = Date.now()
    this.#changedFolders.add(folder)
  }

  read(inode: Inode, offset: number, length: number): Buffer {
    const end = Math.min(inode.size, offset + length)
    if (end <= offset) return Buffer.alloc(0)
    const out = Buffer.alloc(end - offset)
    for (let at = offset; at < end; ) {
      const [page, within] = [Math.floor(at / PAGE_BYTES), at % PAGE_BYTES]
      const bytes = Math.min(PAGE_BYTES - within, end - at)
      inode.pages.get(page)?.copy(out, at - offset, within, within + bytes)
      at += bytes
    }
    return out
  }

  write(inode: Inode, offset: number, data: Buffer): void {
    for (let at = 0; at < data.length; ) {
      const [page, within] = [Math.floor((offset + at) / PAGE_BYTES), (offset + at) % PAGE_BYTES]
      const bytes = Math.min(PAGE_BYTES - within, data.length - at)
      data.copy(this.#ownPage(inode, page), within, at, at + bytes)
      at += bytes
    }
    inode.size = Math.max(inode.size, offset + data.length)
    inode.changedAtMs = Date.now()
  }

  /** A page that can be written without changing the synced copy. */
  #ownPage(inode: Inode, number: number): Buffer {
    const page = inode.pages.get(number)
    if (page && inode.unsynced.has(number)) return page
    const own = page ? Buffer.from(page) : Buffer.alloc(PAGE_BYTES)
    inode.pages.set(number, own)
    inode.unsynced.add(number)
    return own
  }

  resize(inode: Inode, size: number): void {
    if (size < inode.size) {
      for (const number of [...inode.pages.keys()].filter(each => each * PAGE_BYTES >= size)) {
        inode.pages.delete(number)
        inode.unsynced.add(number)
      }
      const last = Math.floor(size / PAGE_BYTES)
      if (size % PAGE_BYTES > 0 && inode.pages.has(last)) this.#ownPage(inode, last).fill(0, size % PAGE_BYTES)
    }
    inode.size = size
    inode.changedAtMs = Date.now()
  }

  sync(inode: Inode): void {
    for (const number of inode.unsynced) keepPage(inode, number)
    inode.unsynced.clear()
    inode.kept.size = inode.size
    this.syncNames()
  }

  syncNames(): void {
    for (const folder of this.#changedFolders) folder.kept.entries = new Map(folder.entries)
    this.#changedFolders.clear()
    for (const inode of this.#inodes.values()) inode.kept.mode = inode.mode
  }

  /** Restores the state after a power cut. With a seed, parts of the unsynced data survive. */
  forget(seed?: number): void {
    const random = seed === undefined ? undefined : randomFrom(seed)
    if (random?.chance(0.5)) this.syncNames()
    for (const inode of this.#inodes.values()) {
      if (random && inode.unsynced.size > 0) {
        const isLongAsWritten = random.chance(0.5)
        for (const number of inode.unsynced) if (random.chance(0.5)) keepPage(inode, number)
        if (isLongAsWritten) inode.kept.size = inode.size
      }
      this.unsyncedPagesForgotten += inode.unsynced.size
      inode.unsynced.clear()
      inode.size = inode.target === undefined ? inode.kept.size : inode.size
      inode.mode = inode.kept.mode
      inode.pages = new Map([...inode.kept.pages].filter(([number]) => number * PAGE_BYTES < inode.size))
      inode.kept.pages.clear()
      for (const [number, page] of inode.pages) inode.kept.pages.set(number, page)
      if (inode.entries) {
        inode.entries.clear()
        for (const [name, number] of inode.kept.entries) inode.entries.set(name, number)
      }
    }
    this.#changedFolders.clear()
    this.#dropUnnamed()
  }

  #dropUnnamed(): void {
    const named = new Map<number, Inode>()
    const walk = (inode: Inode) => {
      named.set(inode.number, inode)
      for (const number of inode.entries?.values() ?? []) walk(this.#inodes.get(number)!)
    }
    walk(this.#inodes.get(ROOT_INODE)!)
    this.#inodes = named
  }

  /** Copies a folder of this machine as synced content. */
  load(source: string, folder = this.#inodes.get(ROOT_INODE)!): void {
    for (const entry of fs.readdirSync(source, { withFileTypes: true })) {
      const file = path.join(source, entry.name)
      const { mode, uid, gid } = fs.lstatSync(file)
      if (entry.isDirectory()) {
        const made = this.make(mode, uid, gid)
        this.name(folder, entry.name, made)
        this.load(file, made)
      } else if (entry.isFile()) {
        const made = this.make(mode, uid, gid)
        this.name(folder, entry.name, made)
        this.write(made, 0, fs.readFileSync(file))
        this.sync(made)
      }
    }
    if (folder.number === ROOT_INODE) this.syncNames()
  }
}

function keepPage(inode: Inode, number: number): void {
  const page = inode.pages.get(number)
  if (page) inode.kept.pages.set(number, page)
  else inode.kept.pages.delete(number)
}
