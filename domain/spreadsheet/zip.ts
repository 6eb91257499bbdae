/**
 * What the caller supplies: the UTF-8 bytes of a text, a CRC-32 that continues from the one before, and compression
 * (RFC 1951).
 */
export interface ZipPacking {
  encode(text: string): Uint8Array
  crc32(bytes: Uint8Array, before: number): number
  deflate(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

export interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

interface Written {
  readonly name: Uint8Array
  readonly crc: number
  readonly size: number
  readonly packedSize: number
  readonly offset: number
}

/** Signatures of the records, and the order of their fields: PKWARE APPNOTE 4.3. */
const LOCAL_HEADER = 0x04034b50
const DATA_DESCRIPTOR = 0x08074b50
const DIRECTORY_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
/** Flag bits 3 and 11: sizes and checksum follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION = 20
/** Always 1980-01-01, so that the same content gives the same file. */
const DOS_DATE = 0x0021
const MAX_UINT32 = 0xffff_ffff

/**
 * A zip archive as a stream: entries are compressed as they come and nothing of them is kept. Without zip64: entries and
 * archive below 4 GiB.
 * Tested by `platform/spreadsheet/table-file.test.ts`.
 * @throws RangeError beyond that
 */
export async function* zip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  packing: ZipPacking,
): AsyncIterable<Uint8Array> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const nameBytes = packing.encode(name)
    const start = offset
    const header = localHeader(nameBytes)
    yield header
    offset += header.length
    const sums = { crc: 0, size: 0, packedSize: 0 }
    for await (const piece of packing.deflate(counted(content, sums, packing))) {
      yield piece
      sums.packedSize += piece.length
    }
    if (sums.size > MAX_UINT32 || start > MAX_UINT32) throw new RangeError('the archive is too large')
    const trailer = record([4, DATA_DESCRIPTOR], [4, sums.crc], [4, sums.packedSize], [4, sums.size])
    yield trailer
    offset += sums.packedSize + trailer.length
    written.push({ name: nameBytes, ...sums, offset: start })
  }
  let size = 0
  for (const entry of written) {
    const piece = directoryEntry(entry)
    yield piece
    size += piece.length
  }
  const count = written.length
  yield record([4, END_OF_DIRECTORY], [4, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0])
}

async function* counted(
  content: ZipEntry['content'],
  sums: { crc: number; size: number },
  { encode, crc32 }: ZipPacking,
): AsyncIterable<Uint8Array> {
  for await (const piece of content) {
    const bytes = typeof piece === 'string' ? encode(piece) : piece
    sums.crc = crc32(bytes, sums.crc)
    sums.size += bytes.length
    yield bytes
  }
}

function localHeader(name: Uint8Array): Uint8Array {
  // Checksum and sizes follow the content.
  const sums = [
    [4, 0],
    [4, 0],
    [4, 0],
  ] as const
  return joined(record([4, LOCAL_HEADER], ...ENTRY_FIELDS, ...sums, [2, name.length], [2, 0]), name)
}

function directoryEntry({ name, crc, size, packedSize, offset }: Written): Uint8Array {
  const sums = [
    [4, crc],
    [4, packedSize],
    [4, size],
  ] as const
  const lengths = [
    [2, name.length],
    [2, 0], // extra field
    [2, 0], // comment
    [2, 0], // disk
    [2, 0], // internal attributes
    [4, 0], // external attributes
    [4, offset],
  ] as const
  return joined(record([4, DIRECTORY_ENTRY], [2, VERSION], ...ENTRY_FIELDS, ...sums, ...lengths), name)
}

/** Version, flags, compression, time and date. */
const ENTRY_FIELDS = [
  [2, VERSION],
  [2, FLAGS],
  [2, DEFLATE],
  [2, 0],
  [2, DOS_DATE],
] as const

/** Numbers of two or four bytes one after the other, the lowest byte first. */
function record(...fields: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
