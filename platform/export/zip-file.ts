import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

interface Written {
  readonly name: Buffer
  readonly crc: number
  readonly size: number
  readonly packedSize: number
  readonly offset: number
}

/** Sizes follow their content, names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION = 20
/** 1980-01-01: the same content gives the same file. */
const DOS_DATE = 0x0021
const MAX_UINT32 = 0xffff_ffff

/**
 * A zip archive as a stream: entries are compressed as they come (by threads of Node's pool, not by this one) and
 * nothing of them is kept. Without zip64: entries and archive below 4 GiB.
 * @throws RangeError beyond that
 */
export async function* zipFile(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncIterable<Uint8Array> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const nameBytes = Buffer.from(name, 'utf8')
    const start = offset
    const header = localHeader(nameBytes)
    yield header
    offset += header.length
    const sums = { crc: 0, size: 0, packedSize: 0 }
    for await (const piece of packed(content, sums)) {
      yield piece
      sums.packedSize += piece.length
    }
    if (sums.size > MAX_UINT32 || start > MAX_UINT32) throw new RangeError('the archive is too large')
    const trailer = descriptor(sums)
    yield trailer
    offset += sums.packedSize + trailer.length
    written.push({ name: nameBytes, ...sums, offset: start })
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield directory
  yield directoryEnd(written.length, directory.length, offset)
}

/**
 * A small archive in memory: the same entries give the same bytes.
 * @throws RangeError when two entries have one name, or above 65,535 entries or 4 GiB
 */
export async function zipArchive(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  if (entries.length > 0xffff) throw new RangeError('too many entries for one archive')
  if (new Set(entries.map(entry => entry.name)).size !== entries.length) throw new RangeError('two entries of one name')
  const pieces: Uint8Array[] = []
  for await (const piece of zipFile(entries)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* packed(content: ZipEntry['content'], sums: { crc: number; size: number }): AsyncIterable<Buffer> {
  const deflate = createDeflateRaw({ level: 6 })
  const closed = new Promise<void>(resolve => deflate.once('close', resolve))
  const feeding = (async () => {
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece
      sums.crc = crc32(bytes, sums.crc)
      sums.size += bytes.length
      if (deflate.write(bytes)) continue
      await Promise.race([new Promise<void>(resolve => deflate.once('drain', resolve)), closed])
      if (deflate.destroyed) return
    }
    deflate.end()
  })()
  // What goes wrong while reading goes wrong for the reader of this stream.
  feeding.catch(error => deflate.destroy(error instanceof Error ? error : new Error(String(error))))
  try {
    for await (const piece of deflate) yield piece as Buffer
  } finally {
    deflate.destroy()
  }
  await feeding
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATE, 8)
  header.writeUInt16LE(DOS_DATE, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, size, packedSize }: Pick<Written, 'crc' | 'size' | 'packedSize'>): Buffer {
  const trailer = Buffer.alloc(16)
  trailer.writeUInt32LE(0x08074b50, 0)
  trailer.writeUInt32LE(crc, 4)
  trailer.writeUInt32LE(packedSize, 8)
  trailer.writeUInt32LE(size, 12)
  return trailer
}

function directoryEntry({ name, crc, size, packedSize, offset }: Written): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(DEFLATE, 10)
  entry.writeUInt16LE(DOS_DATE, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(packedSize, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, name])
}

function directoryEnd(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
