import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import type { Row } from '@pc/platform/stats/port.ts'

/** Exact sums by column of the statistics store, money in micro-yen. A column that was not read is not there. */
export type Sums = Readonly<Record<string, bigint>>

/** The sums of rows that were read with `selectedSums`. */
export function addUp(rows: readonly Row[], columns: readonly string[]): Sums {
  return Object.fromEntries(columns.map(column => [column, sumBy(rows, row => row[`sum_${column}`] as bigint)]))
}

/** The sums of the days that figures are compared with. */
export interface ComparedSums extends DayRange {
  readonly sums: Sums
}

/**
 * Null when nothing is compared, or those days are not known: of days that have not arrived, none are compared.
 * @param rows of these days; by day (`bucket`) perhaps of others too
 */
export function comparedSums(
  days: DayRange | undefined,
  rows: readonly Row[],
  columns: readonly string[],
): ComparedSums | null {
  if (!days) return null
  const isByDay = rows[0]?.bucket !== undefined
  const own = isByDay ? rows.filter(({ bucket }) => bucket! >= days.from && bucket! <= days.to) : rows
  return own.length === 0 ? null : { from: days.from, to: days.to, sums: addUp(own, columns) }
}

/** Periods, or everything, that were read with their `days_with_data` and `is_closed`. */
export function dayFacts(rows: readonly Row[]): { readonly daysWithData: number; readonly hasBeenFinalized: boolean } {
  return {
    daysWithData: Number(sumBy(rows, row => row.days_with_data as bigint)),
    hasBeenFinalized: rows.every(row => row.is_closed === 1n),
  }
}

/** @throws Error when a column was not read, which a field must never reach */
export function sumOfColumns(sums: Sums, ...columns: readonly string[]): bigint {
  let sum = 0n
  for (const column of columns) {
    const value = sums[column]
    if (value === undefined) throw new Error(`${column} was not read`)
    sum += value
  }
  return sum
}
