import { csvText } from '@pc/domain/text/spreadsheet-text.ts'
import { encodeWindows31j } from '../text/windows-31j.ts'
import type { ExportCell, ExportColumn, ExportKind, ExportRow, ExportTable } from './export-table.ts'

/**
 * The bytes of a text file, piece by piece: a header, CRLF, and either UTF-8 with a byte order mark or cp932, in which
 * characters that it does not have are question marks.
 */
export async function* csvFile(
  { columns, rows }: Pick<ExportTable, 'columns' | 'rows'>,
  format: 'csv' | 'csv-cp932',
  signal: AbortSignal,
  onRows: (count: number) => void,
): AsyncIterable<Uint8Array> {
  const encode =
    format === 'csv' ? (text: string) => Buffer.from(text, 'utf8') : (text: string) => encodeWindows31j(text).bytes
  if (format === 'csv') yield Uint8Array.of(0xef, 0xbb, 0xbf)
  yield encode(line(columns.map(column => csvText(headerOf(column)))))
  for await (const piece of rows(signal)) {
    yield encode(piece.map(row => lineOf(columns, row)).join(''))
    onRows(piece.length)
  }
}

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`

function lineOf(columns: readonly ExportColumn[], row: ExportRow): string {
  return line(columns.map(({ kind }, index) => cellText(kind, row[index] ?? null)))
}

/** A time of day is what a spreadsheet would make of mm:ss, therefore seconds. */
const headerOf = ({ kind, header }: ExportColumn) => (kind === 'seconds' ? `${header}（秒）` : header)

function cellText(kind: ExportKind, cell: ExportCell): string {
  if (cell === null) return ''
  switch (kind) {
    case 'text':
      return csvText(String(cell))
    case 'tenths':
      return tenthsText(Number(cell))
    case 'percent':
      return `${tenthsText(Number(cell))}%`
    default:
      return String(cell)
  }
}

function tenthsText(tenths: number): string {
  const whole = Math.trunc(Math.abs(tenths) / 10)
  return `${tenths < 0 ? '-' : ''}${whole}.${Math.abs(tenths) % 10}`
}
