export interface TableCell {
  readonly text: string
  /** `date`: a number with a date format. */
  readonly kind: 'text' | 'number' | 'date' | 'formula' | 'error'
  /** YYYY-MM-DD of a number that can be a date. */
  readonly day?: string | undefined
}

export interface TableRow {
  /** Row number as in a spreadsheet, from 1. */
  readonly number: number
  /** Undefined: an empty cell. */
  readonly cells: readonly (TableCell | undefined)[]
}

export const MAX_TABLE_FILE_MB = 20
export const MAX_TABLE_ROWS = 20_000
export const MAX_TABLE_COLUMNS = 100
