import { csvPieces } from '@pc/domain/spreadsheet/csv-pieces.ts'
import type { ExportColumn, ExportRow } from '@pc/domain/spreadsheet/export-column.ts'
import { xlsxParts } from '@pc/domain/spreadsheet/xlsx-parts.ts'
import { type ZipPacking, zip } from '@pc/domain/spreadsheet/zip.ts'
import { windows31jEncoder } from '@pc/domain/text/windows-31j.ts'
import type { CsvCell } from '../data/csv.ts'
import { noteDownload } from '../data/note-download.ts'
import { type ExportFormat, type ExportProgress, ExportRefused } from '../export/export-order.ts'
import type { Piece } from './load-all.ts'

/** A list as a file: its columns, and all rows of the current filter and order. */
export interface ListFile<Row> {
  /** Without the extension. */
  readonly fileName: string
  readonly columns: readonly { readonly header: string; cell(row: Row): CsvCell }[]
  pieces(): AsyncIterable<Piece<Row>>
}

/** Limit of one file: the browser fetches all rows and keeps the file in memory. */
export const MAX_FILE_ROWS = 100_000
const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  'csv-cp932': 'text/csv;charset=windows-31j',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Writes the file while its rows are fetched, with the same writers as the server's exports. */
export async function writeListFile<Row>(
  list: ListFile<Row>,
  format: ExportFormat,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ readonly file: Blob; readonly rows: number }> {
  const columns: ExportColumn[] = list.columns.map(({ header }) => ({ header, kind: 'value' }))
  let progress = { rows: 0, total: 0 }
  async function* rows(): AsyncGenerator<readonly ExportRow[]> {
    for await (const { total, nodes } of list.pieces()) {
      signal.throwIfAborted()
      if (total > MAX_FILE_ROWS) throw new ExportRefused(tooManyText(total))
      yield nodes.map(row => list.columns.map(column => column.cell(row) ?? null))
      progress = { rows: progress.rows + nodes.length, total }
      onProgress(progress)
    }
  }
  const bytes: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of piecesOf(rows())) bytes.push(piece as Uint8Array<ArrayBuffer>)
  const file = new Blob(bytes, { type: TYPES[format] })
  noteDownload({ fileName: `${list.fileName}.${format === 'xlsx' ? 'xlsx' : 'csv'}`, lines: progress.rows })
  return { file, rows: progress.rows }

  async function* piecesOf(content: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<Uint8Array> {
    const ignore = () => {}
    if (format === 'xlsx') {
      const facts = [['画面', location.href]] as const
      yield* zip(xlsxParts({ title: list.fileName, facts, columns }, content, ignore), PACKING)
      return
    }
    if (format === 'csv') yield Uint8Array.of(0xef, 0xbb, 0xbf)
    const encode = format === 'csv' ? PACKING.encode : encodeWindows31j
    for await (const text of csvPieces(columns, content, ignore)) yield encode(text)
  }
}

function tooManyText(total: number): string {
  const [now, most] = [total, MAX_FILE_ROWS].map(count => count.toLocaleString('ja-JP'))
  return `${now}件あります。書き出せるのは${most}件までです。絞り込んでから書き出してください。`
}

const utf8 = new TextEncoder()
const windows31j = windows31jEncoder(bytes => new TextDecoder('shift_jis', { fatal: true }).decode(bytes))
const encodeWindows31j = (text: string) => windows31j(text).bytes
const PACKING: ZipPacking = { encode: text => utf8.encode(text), crc32, deflate }

async function* deflate(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new CompressionStream('deflate-raw')
  const writer = writable.getWriter()
  const feeding = (async () => {
    for await (const bytes of content) await writer.write(bytes as Uint8Array<ArrayBuffer>)
    await writer.close()
  })()
  // An error while fetching rows aborts the stream, so that its reader receives it.
  feeding.catch(error => writer.abort(error).catch(() => {}))
  const reader = readable.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    yield value
  }
  await feeding
}

let table: Uint32Array | undefined

function crc32(bytes: Uint8Array, before: number): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
    return sum
  })
  let sum = ~before
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}
