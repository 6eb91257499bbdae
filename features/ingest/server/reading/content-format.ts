/** Recognised by the first bytes of a delivery, because file names and headers can lie. */
export type Compression = 'gzip' | 'zstd'
export type ContentFormat = 'csv' | 'ndjson' | 'parquet'

/** Bytes that {@link contentFormat} wants to see; a header line longer than this is refused. */
export const HEAD_BYTES = 64 * 1024

export function compressionOf(head: Buffer): Compression | undefined {
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd'
  return undefined
}

/** Undefined: neither UTF-8 text nor Parquet. An empty file counts as CSV and is refused later. */
export function contentFormat(head: Buffer): ContentFormat | undefined {
  if (head.length >= 4 && head.toString('latin1', 0, 4) === 'PAR1') return 'parquet'
  if (compressionOf(head)) return undefined
  if (isSpreadsheet(head) || isUtf16(head)) return undefined
  const start = withoutBom(head).toString('latin1', 0, 256).trimStart()
  if (start.startsWith('{')) return 'ndjson'
  return head.subarray(0, 256).includes(0) ? undefined : 'csv'
}

/** A ZIP archive, which an Excel workbook also is, or a workbook of before 2007. */
export function isSpreadsheet(head: Buffer): boolean {
  const start = head.toString('hex', 0, 4)
  return start === '504b0304' || start === '504b0506' || start === 'd0cf11e0'
}

export function isUtf16(head: Buffer): boolean {
  return head.length >= 2 && (head.readUInt16LE(0) === 0xfeff || head.readUInt16BE(0) === 0xfeff)
}

export function withoutBom(bytes: Buffer): Buffer {
  return bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
