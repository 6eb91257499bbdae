import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { bucketFiles } from '../objects/bucket-files.ts'
import type { FileStore } from '../objects/file-store.ts'

/** Append-only lines outside the database: a person who changes the audit log there cannot change its anchors here. */
export interface AnchorStore {
  /** File or bucket, for messages to the operator. */
  readonly place: string
  lines(): Promise<readonly string[]>
  lastLine(): Promise<string | undefined>
  /**
   * Appends a line after all others, even when `at` is earlier than theirs. The caller makes sure that one process at a
   * time writes. @param after the last line, which the new one follows @throws Error when another process has appended
   * a line since
   */
  append(line: string, at: Date, after: string | undefined): Promise<void>
}

export function openAnchors({ dataDir, objectsUrl }: Pick<Config, 'dataDir' | 'objectsUrl'>): AnchorStore {
  return objectsUrl === undefined ? folderAnchors(dataDir) : bucketAnchors(bucketFiles(objectsUrl, 'audit'))
}

export const anchorFile = (dataDir: string) => path.join(dataDir, 'audit', 'anchor.ndjson')

/** Tested by `platform/audit/audit-log.test.ts`. */
export function folderAnchors(dataDir: string): AnchorStore {
  const file = anchorFile(dataDir)
  const lines = async () =>
    linesOf(
      await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      }),
    )
  return {
    place: file,
    lines,
    lastLine: async () => (await lines()).at(-1),
    async append(line) {
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const handle = await fs.open(file, 'a', 0o600)
      try {
        await handle.write(`${line}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}

const READ_AT_ONCE = 16

/** One object for each day: objects cannot be appended to, and one object per line would take minutes to read. */
export function bucketAnchors(files: FileStore): AnchorStore {
  const linesOfObject = async (key: string) => {
    const stream = await files.read(key)
    return stream ? linesOf(await text(stream)) : []
  }
  const listKeys = async () => (await files.list('')).map(({ key }) => key).sort()
  return {
    place: files.place,
    async lines() {
      const keys = await listKeys()
      const found: string[] = []
      for (let at = 0; at < keys.length; at += READ_AT_ONCE)
        found.push(...(await Promise.all(keys.slice(at, at + READ_AT_ONCE).map(linesOfObject))).flat())
      return found
    },
    async lastLine() {
      for (const key of (await listKeys()).reverse()) {
        const last = (await linesOfObject(key)).at(-1)
        if (last !== undefined) return last
      }
      return undefined
    },
    async append(line, at, after) {
      const today = `${at.toISOString().slice(0, 10)}.ndjson`
      const newest = (await listKeys()).at(-1) ?? today
      const key = newest > today ? newest : today
      const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pc-anchor-'))
      try {
        const file = path.join(folder, key)
        const before = await linesOfObject(key)
        if (before.length > 0 && before.at(-1) !== after) throw new Error('another process has added an anchor')
        await fs.writeFile(file, [...before, line, ''].join('\n'), { mode: 0o600 })
        await files.keep(key, file)
      } finally {
        await fs.rm(folder, { recursive: true, force: true })
      }
    },
  }
}

function linesOf(content: string): string[] {
  return content.split('\n').filter(line => line !== '')
}
