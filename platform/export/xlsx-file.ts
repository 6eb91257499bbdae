import { xlsxParts } from '@pc/domain/spreadsheet/xlsx-parts.ts'
import type { ExportTable } from './export-table.ts'
import { zipFile } from './zip-file.ts'

/** The bytes of a workbook, piece by piece. */
export function xlsxFile(
  table: ExportTable,
  signal: AbortSignal,
  onRows: (count: number) => void,
  rowsPerSheet?: number,
): AsyncIterable<Uint8Array> {
  return zipFile(xlsxParts(table, table.rows(signal), onRows, rowsPerSheet))
}
