export interface TableCell {
  readonly text: string
  /** `date`: a number that is shown as a date. */
  readonly kind: 'text' | 'number' | 'date' | 'formula' | 'error'
  /** The day of a number, as YYYY-MM-DD, where it has one. */
  readonly day?: string | undefined
}

export interface TableRow {
  /** As a spreadsheet counts: the first row is 1. */
  readonly number: number
  /** A column without a value is undefined. */
  readonly cells: readonly (TableCell | undefined)[]
}

export const MAX_TABLE_FILE_MB = 20
export const MAX_TABLE_ROWS = 20_000
export const MAX_TABLE_COLUMNS = 100
