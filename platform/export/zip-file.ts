import { crc32, createDeflateRaw } from 'node:zlib'
import { type ZipEntry, type ZipPacking, zip } from '@pc/domain/spreadsheet/zip.ts'

/** Compression by Node's zlib, on its thread pool, so that the event loop stays free. */
const PACKING: ZipPacking = { encode: text => Buffer.from(text, 'utf8'), crc32, deflate }

/** A zip archive as a stream. @throws RangeError above 4 GiB */
export function zipFile(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncIterable<Uint8Array> {
  return zip(entries, PACKING)
}

/**
 * A zip archive in memory, for small content; the same entries always give the same bytes. @throws RangeError for a
 * duplicate name, more than 65,535 entries, or more than 4 GiB
 */
export async function zipArchive(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  if (entries.length > 0xffff) throw new RangeError('too many entries for one archive')
  if (new Set(entries.map(entry => entry.name)).size !== entries.length) throw new RangeError('two entries of one name')
  const pieces: Uint8Array[] = []
  for await (const piece of zipFile(entries)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* deflate(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const deflate = createDeflateRaw({ level: 6 })
  const closed = new Promise<void>(resolve => deflate.once('close', resolve))
  const feeding = (async () => {
    for await (const bytes of content) {
      if (deflate.write(bytes)) continue
      await Promise.race([new Promise<void>(resolve => deflate.once('drain', resolve)), closed])
      if (deflate.destroyed) return
    }
    deflate.end()
  })()
  // An error while reading the content destroys the stream, so that the consumer of this generator receives it.
  feeding.catch(error => deflate.destroy(error instanceof Error ? error : new Error(String(error))))
  try {
    for await (const piece of deflate) yield piece as Buffer
  } finally {
    deflate.destroy()
  }
  await feeding
}
