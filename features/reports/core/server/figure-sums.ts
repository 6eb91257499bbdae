import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import type { GraphQLResolveInfo } from 'graphql'

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
 * @param isZeroWithout what has no rows there is compared with 0: in lists by change, where it has its whole figure as change
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

/** Periods, or everything, that were read with their `days_with_data` and `is_closed`. */
export function dayFacts(rows: readonly Row[]): { readonly daysWithData: number; readonly hasBeenFinalized: boolean } {
  return {
    daysWithData: Number(sumBy(rows, row => row.days_with_data as bigint)),
    hasBeenFinalized: rows.every(row => row.is_closed === 1n),
  }
}

/** What the fields that are asked for are made of, each column once. */
export function columnsOfFields<Column extends string>(
  info: GraphQLResolveInfo,
  columnsOf: Readonly<Record<string, readonly Column[]>>,
): readonly Column[] {
  const requested = Object.entries(columnsOf).flatMap(([field, columns]) => (asksFor(info, field) ? columns : []))
  return [...new Set(requested)]
}

/**
 * The columns that somebody may read among those that are asked for, in their own order; undefined: all. One at least: a
 * statement selects something.
 */
export function chosenColumns<Column extends string>(
  readable: readonly Column[],
  requested: readonly string[] | undefined,
): readonly Column[] {
  const chosen = requested ? readable.filter(column => requested.includes(column)) : readable
  return chosen.length > 0 ? chosen : readable.slice(0, 1)
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
