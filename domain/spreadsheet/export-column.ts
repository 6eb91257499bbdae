/**
 * How the values of a column are given and written.
 * - `text`      as it is, made harmless for spreadsheets
 * - `integer`   bigint or number
 * - `tenths`    an integer number of tenths: 123 is 12.3
 * - `percent`   an integer number of tenths of a percent: 123 is 12.3%
 * - `seconds`   a whole number of seconds; a time in a spreadsheet file, seconds as a number in a text file
 * - `day`       'YYYY-MM-DD'
 * - `value`     a number that stays a number, or a text
 */
export type ExportKind = 'text' | 'integer' | 'tenths' | 'percent' | 'seconds' | 'day' | 'value'

export interface ExportColumn {
  /** With its unit in it: 収益（円）. */
  readonly header: string
  readonly kind: ExportKind
  /** What it means, for the second sheet of a spreadsheet file. */
  readonly definition?: string
  /** Width in characters; default by kind. */
  readonly width?: number
}

/** Null: no value, which stays empty and is not 0. */
export type ExportCell = string | bigint | number | null
export type ExportRow = readonly ExportCell[]

/** What a file says of its table: what it is about (period, filters, freshness), label and text, and its columns. */
export interface ExportContent {
  readonly title: string
  readonly facts: readonly (readonly [label: string, text: string])[]
  readonly columns: readonly ExportColumn[]
}

/** Rows in the order of the table, in pieces small enough that writing one does not hold up others. */
export type ExportRows = AsyncIterable<readonly ExportRow[]>
