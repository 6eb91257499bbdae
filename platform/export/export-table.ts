import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { ExportContent, ExportRows } from '@pc/domain/spreadsheet/export-column.ts'

/** A table that is exported in chunks: its rows are never all in memory. */
export interface ExportTable extends ExportContent {
  /** Without the extension. */
  readonly fileName: string
  readonly total: number
  /** For the audit log: which resource is read. */
  readonly resource: ResourceName
  rows(signal: AbortSignal): ExportRows
}

export const EXPORT_FORMATS = ['csv', 'csv-cp932', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
