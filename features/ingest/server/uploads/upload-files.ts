import type { Readable } from 'node:stream'
import type { IngestContext } from '../ingest-context.ts'
import type { Source } from '../reading/source-files.ts'

/**
 * Files that people uploaded, `uploads/<person>/<SHA-256 of the content>`, between the dry run and the decision to publish.
 * They are kept where deliveries are, so that a restart loses none and any web process finds them.
 */
export const KEPT_MS = 2 * 3_600_000
/** Per person; another upload removes the oldest. */
const MAX_FILES_OF_ONE = 4
/** Uploads of all persons together. */
const MAX_BYTES = 8 * 1024 ** 3
const UPLOADS = 'uploads/'

type Uploads = Pick<IngestContext, 'files' | 'clock'>

/**
 * Undefined when there is no such upload or it has expired ({@link KEPT_MS}).
 * Tested by `features/ingest/server/ingest-bucket.test.ts`.
 */
export async function readUpload(
  { files, clock }: Uploads,
  uid: string,
  sha256: string,
): Promise<Readable | undefined> {
  const key = keyOf(uid, sha256)
  const found = key && (await files.find(key))
  return found && clock.now() - found.storedAtMs < KEPT_MS ? files.read(key) : undefined
}

/** Keeps a delivery for the person. Uploading the same content again restarts its expiry. */
export async function keepUpload({ files }: Uploads, uid: string, source: Source): Promise<void> {
  const key = `${folderOf(uid)}${source.sha256}`
  await files.keep(key, source.deliveredFile)
  const others = (await files.list(folderOf(uid))).filter(one => one.key !== key)
  const oldest = others.toSorted((a, b) => b.storedAtMs - a.storedAtMs).slice(MAX_FILES_OF_ONE - 1)
  for (const one of oldest) await files.remove(one.key)
}

export async function removeUpload({ files }: Uploads, uid: string, sha256: string): Promise<void> {
  const key = keyOf(uid, sha256)
  if (key !== undefined) await files.remove(key)
}

/** Deletes expired uploads. @returns whether there is room for another file */
export async function purgeUploads({ files, clock }: Uploads): Promise<boolean> {
  let bytes = 0
  for (const { key, size, storedAtMs } of await files.list(UPLOADS)) {
    if (clock.now() - storedAtMs < KEPT_MS) bytes += size
    else await files.remove(key)
  }
  return bytes < MAX_BYTES
}

function keyOf(uid: string, sha256: string): string | undefined {
  return /^[0-9a-f]{64}$/.test(sha256) ? `${folderOf(uid)}${sha256}` : undefined
}

function folderOf(uid: string): string {
  if (!/^[\w-]{1,64}$/.test(uid)) throw new TypeError(`not a person: ${uid}`)
  return `${UPLOADS}${uid}/`
}
