import { csvPieces } from '@pc/domain/spreadsheet/csv-pieces.ts'
import { encodeWindows31j } from '../text/windows-31j.ts'
import type { ExportTable } from './export-table.ts'

/**
 * A CSV file in chunks: UTF-8 with a byte order mark, or cp932, where characters outside of it become question marks.
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
  for await (const piece of csvPieces(columns, rows(signal), onRows)) yield encode(piece)
}
