import { csvText } from '../text/spreadsheet-text.ts'
import type { ExportCell, ExportColumn, ExportKind, ExportRow, ExportRows } from './export-column.ts'

/** The text of a file of comma-separated values, piece by piece: a header, then the rows, each with CRLF. */
export async function* csvPieces(
  columns: readonly ExportColumn[],
  rows: ExportRows,
  onRows: (count: number) => void,
): AsyncIterable<string> {
  yield line(columns.map(column => csvText(headerOf(column))))
  for await (const piece of rows) {
    yield piece.map(row => lineOf(columns, row)).join('')
    onRows(piece.length)
  }
}

const line = (cells: readonly string[]) => `${cells.join(',')}\r\n`

function lineOf(columns: readonly ExportColumn[], row: ExportRow): string {
  return line(columns.map(({ kind }, index) => cellText(kind, row[index] ?? null)))
}

/** Durations are written in seconds, because a spreadsheet would read mm:ss as a time of day. */
const headerOf = ({ kind, header }: ExportColumn) => (kind === 'seconds' ? `${header}（秒）` : header)

function cellText(kind: ExportKind, cell: ExportCell): string {
  if (cell === null) return ''
  switch (kind) {
    case 'text':
      return csvText(String(cell))
    case 'value':
      return typeof cell === 'string' ? csvText(cell) : String(cell)
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
