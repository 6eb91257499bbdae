import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import type { GraphQLResolveInfo } from 'graphql'

/** Exact sums by column of the statistics store, money in micro-yen. Only the columns that were read have a key. */
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
 * Null when nothing is compared, or when the compared days have not all arrived or have no rows.
 * @param rows of these days; rows by day (`bucket`) may include other days, which are filtered out
 * @param isZeroWithout compares with 0 when there are no rows: in lists by change, new items change by their whole figure
 */
export function comparedSums(
  days: DayRange | undefined,
  rows: readonly Row[],
  columns: readonly string[],
  isZeroWithout = false,
): ComparedSums | null {
  if (!days) return null
  const isByDay = rows[0]?.bucket !== undefined
  const own = isByDay ? rows.filter(({ bucket }) => bucket! >= days.from && bucket! <= days.to) : rows
  return own.length === 0 && !isZeroWithout ? null : { from: days.from, to: days.to, sums: addUp(own, columns) }
}

/** @param rows results with `days_with_data` and `is_closed` */
export function dayFacts(rows: readonly Row[]): { readonly daysWithData: number; readonly hasBeenFinalized: boolean } {
  return {
    daysWithData: Number(sumBy(rows, row => row.days_with_data as bigint)),
    hasBeenFinalized: rows.every(row => row.is_closed === 1n),
  }
}

/** The distinct columns that the query's selected fields need. */
export function columnsOfFields<Column extends string>(
  info: GraphQLResolveInfo,
  columnsOf: Readonly<Record<string, readonly Column[]>>,
): readonly Column[] {
  const requested = Object.entries(columnsOf).flatMap(([field, columns]) => (asksFor(info, field) ? columns : []))
  return [...new Set(requested)]
}

/**
 * The requested columns that may be read, in the order of `readable`. At least one, because SQL must select something.
 * @param requested undefined: all
 */
export function chosenColumns<Column extends string>(
  readable: readonly Column[],
  requested: readonly string[] | undefined,
): readonly Column[] {
  const chosen = requested ? readable.filter(column => requested.includes(column)) : readable
  return chosen.length > 0 ? chosen : readable.slice(0, 1)
}

/** @throws Error when a column was not read: then a field is missing in the map of fields to columns */
export function sumOfColumns(sums: Sums, ...columns: readonly string[]): bigint {
  let sum = 0n
  for (const column of columns) {
    const value = sums[column]
    if (value === undefined) throw new Error(`${column} was not read`)
    sum += value
  }
  return sum
}
