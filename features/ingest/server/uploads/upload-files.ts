import fs from 'node:fs'
import path from 'node:path'
import type { IngestContext } from '../ingest-context.ts'
import { moveWhole, type Source } from '../reading/source-files.ts'

/**
 * Files that people uploaded, `<person>/<SHA-256 of the content>`, between the dry run and the decision to publish. They
 * are on disk and nowhere else, so that a restart loses none.
 */
export const KEPT_MS = 2 * 3_600_000
/** Of one person; a further one takes the place of the oldest. */
const MAX_FILES_OF_ONE = 4
/** Of everybody. */
const MAX_BYTES = 8 * 1024 ** 3

type Uploads = Pick<IngestContext, 'folders' | 'clock'>

/** Undefined: it was never there, or its time is over. */
export function findUpload({ folders, clock }: Uploads, uid: string, sha256: string): string | undefined {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
  const file = path.join(personFolder(folders.uploads, uid), sha256)
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat && clock.now() - stat.mtimeMs < KEPT_MS ? file : undefined
}

/** Keeps a delivery for its sender. The time begins again when the same content comes again. */
export function keepUpload({ folders, clock }: Uploads, uid: string, source: Source): void {
  const folder = personFolder(folders.uploads, uid)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, source.sha256)
  moveWhole(source.deliveredFile, file)
  const now = clock.now() / 1000
  fs.utimesSync(file, now, now)
  const others = filesIn(folder).filter(one => one.file !== file)
  for (const one of others.slice(MAX_FILES_OF_ONE - 1)) fs.rmSync(one.file, { force: true })
}

export function removeUpload({ folders }: Uploads, uid: string, sha256: string): void {
  if (/^[0-9a-f]{64}$/.test(sha256)) fs.rmSync(path.join(personFolder(folders.uploads, uid), sha256), { force: true })
}

/** Whether there is room for another file, after everything whose time is over is gone. */
export function purgeUploads({ folders, clock }: Uploads): boolean {
  let bytes = 0
  for (const name of fs.existsSync(folders.uploads) ? fs.readdirSync(folders.uploads) : []) {
    const folder = path.join(folders.uploads, name)
    const files = filesIn(folder)
    for (const { file, size, mtimeMs } of files) {
      if (clock.now() - mtimeMs < KEPT_MS) bytes += size
      else fs.rmSync(file, { force: true })
    }
    if (files.length === 0) fs.rmSync(folder, { recursive: true, force: true })
  }
  return bytes < MAX_BYTES
}

function personFolder(uploads: string, uid: string): string {
  if (!/^[\w-]{1,64}$/.test(uid)) throw new TypeError(`not a person: ${uid}`)
  return path.join(uploads, uid)
}

/** The newest first; another process may take one away meanwhile. */
function filesIn(folder: string): { file: string; size: number; mtimeMs: number }[] {
  const files = fs.readdirSync(folder).flatMap(name => {
    const file = path.join(folder, name)
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    return stat ? [{ file, size: stat.size, mtimeMs: stat.mtimeMs }] : []
  })
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs)
}
