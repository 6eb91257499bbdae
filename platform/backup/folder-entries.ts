import fs from 'node:fs'
import path from 'node:path'
import type { ArchiveEntry } from './archive-entries.ts'

const CHUNK_BYTES = 1024 * 1024
const MIN_CHUNK_BYTES = 1024

/**
 * Everything below a folder. Files and folders that disappear during the copy are left out.
 * @param skip decides by the path relative to `root`
 */
export async function* folderEntries(
  root: string,
  below: string,
  skip: (relative: string) => boolean,
): AsyncGenerator<ArchiveEntry> {
  let found: fs.Dirent[]
  try {
    found = fs.readdirSync(path.join(root, below), { withFileTypes: true })
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  if (below !== '') yield { kind: 'folder', path: below }
  for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const relative = below === '' ? entry.name : `${below}/${entry.name}`
    if (skip(relative)) continue
    if (entry.isDirectory()) yield* folderEntries(root, relative, skip)
    else if (entry.isFile()) yield* fileEntry(root, relative)
  }
}

async function* fileEntry(root: string, relative: string): AsyncGenerator<ArchiveEntry> {
  let file: number
  try {
    file = fs.openSync(path.join(root, relative), 'r')
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  try {
    yield { kind: 'file', path: relative, content: contentOf(file) }
  } finally {
    fs.closeSync(file)
  }
}

async function* contentOf(file: number): AsyncGenerator<Buffer> {
  // Most files are small, so the buffer is as small as the file. Reading goes on until 0 bytes, because a file may
  // grow.
  for (let left = fs.fstatSync(file).size; ; ) {
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(left, MIN_CHUNK_BYTES), CHUNK_BYTES))
    const length = fs.readSync(file, buffer)
    if (length === 0) return
    yield buffer.subarray(0, length)
    left -= length
  }
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
