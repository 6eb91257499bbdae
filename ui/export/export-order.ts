export type ExportFormat = 'csv' | 'csv-cp932' | 'xlsx'

export interface ExportProgress {
  readonly rows: number
  readonly total: number
}

export interface ExportOrder {
  /** Of the insight API: `/exports/report`, or another that answers a file. */
  readonly path: `/${string}`
  /** Without a format: a file that is there already, and comes as it is. */
  readonly body: Readonly<Record<string, unknown>> & { readonly format?: ExportFormat }
}

/** The server's own words why there is no file. */
export class ExportRefused extends Error {
  override name = 'ExportRefused'
}
