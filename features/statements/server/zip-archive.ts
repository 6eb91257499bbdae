import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Uint8Array
}

/** 1980-01-01 00:00: the earliest that the format knows. No time of the day gets into the bytes. */
const FIXED_DATE = (1 << 5) | 1
const UTF8_NAMES = 0x0800
const DEFLATE = 8
const VERSION = 20
const MAX_SIZE = 0xffff_ffff

/**
 * A ZIP archive (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4) with names in UTF-8. A pure function of its entries: the same
 * bytes on every day. Names have to differ.
 * @throws RangeError above 65,535 entries or 4 GB
 */
export function zipArchive(entries: readonly ZipEntry[]): Uint8Array {
  if (entries.length > 0xffff) throw new RangeError('too many entries for one archive')
  if (new Set(entries.map(entry => entry.name)).size !== entries.length) throw new RangeError('two entries of one name')
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const nameBytes = Buffer.from(name, 'utf8')
    const packed = deflateRawSync(content, { level: 9 })
    const common = commonFields(crc32(content), packed.length, content.length, nameBytes.length)
    const local = Buffer.concat([uint32(0x0403_4b50), common, nameBytes, packed])
    directory.push(
      Buffer.concat([uint32(0x0201_4b50), uint16(VERSION), common, Buffer.alloc(10), uint32(offset), nameBytes]),
    )
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  if (offset + central.length > MAX_SIZE) throw new RangeError('too large for one archive')
  const count = uint16(entries.length)
  const end = [uint32(0x0605_4b50), Buffer.alloc(4), count, count, uint32(central.length), uint32(offset), uint16(0)]
  return Buffer.concat([...parts, central, ...end])
}

/** The fields that the entry's own head and the directory share, from the needed version to the extra length. */
function commonFields(checksum: number, packedBytes: number, bytes: number, nameBytes: number): Buffer {
  return Buffer.concat([
    ...[VERSION, UTF8_NAMES, DEFLATE, 0, FIXED_DATE].map(uint16),
    ...[checksum, packedBytes, bytes].map(uint32),
    ...[nameBytes, 0].map(uint16),
  ])
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16LE(value)
  return buffer
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value >>> 0)
  return buffer
}
