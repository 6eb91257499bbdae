import type { ResourceName } from '@pc/domain/access/resource-name.ts'

/**
 * How the values of a column are given and written.
 * - `text`      as it is, made harmless for spreadsheets
 * - `integer`   bigint or number
 * - `tenths`    an integer number of tenths: 123 is 12.3
 * - `percent`   an integer number of tenths of a percent: 123 is 12.3%
 * - `seconds`   a whole number of seconds; a time in a spreadsheet file, seconds as a number in a text file
 * - `day`       'YYYY-MM-DD'
 */
export type ExportKind = 'text' | 'integer' | 'tenths' | 'percent' | 'seconds' | 'day'

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

/** A table that is written to a file piece by piece: never all of its rows are there at once. */
export interface ExportTable {
  /** Without its ending. */
  readonly fileName: string
  readonly title: string
  /** What the table is about (period, filters, freshness), label and text. */
  readonly facts: readonly (readonly [label: string, text: string])[]
  readonly columns: readonly ExportColumn[]
  readonly total: number
  /** What is read, for the audit log. */
  readonly resource: ResourceName
  /** Pieces in the order of the table, small enough that writing one does not hold up others. */
  rows(signal: AbortSignal): AsyncIterable<readonly ExportRow[]>
}

export const EXPORT_FORMATS = ['csv', 'csv-cp932', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
