import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { ExportContent, ExportRows } from '@pc/domain/spreadsheet/export-column.ts'

/** A table that is written to a file piece by piece: never all of its rows are there at once. */
export interface ExportTable extends ExportContent {
  /** Without its ending. */
  readonly fileName: string
  readonly total: number
  /** What is read, for the audit log. */
  readonly resource: ResourceName
  rows(signal: AbortSignal): ExportRows
}

export const EXPORT_FORMATS = ['csv', 'csv-cp932', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
