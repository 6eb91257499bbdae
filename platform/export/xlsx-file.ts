import { xlsxParts } from '@pc/domain/spreadsheet/xlsx-parts.ts'
import type { ExportTable } from './export-table.ts'
import { zipFile } from './zip-file.ts'

/**
 * An xlsx workbook in chunks.
 * @param onRows called with the number of rows written since the last call
 * @param rowsPerSheet default: Excel's own limit
 */
export function xlsxFile(
  table: ExportTable,
  signal: AbortSignal,
  onRows: (count: number) => void,
  rowsPerSheet?: number,
): AsyncIterable<Uint8Array> {
  return zipFile(xlsxParts(table, table.rows(signal), onRows, rowsPerSheet))
}
