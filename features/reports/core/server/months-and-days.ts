import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { MediumDays } from '@pc/domain/report/arrival.ts'
import { splitByMonths } from '@pc/domain/report/period.ts'
import { none, type Sql, sql } from '@pc/platform/stats/sql.ts'

/**
 * Splits a range between the monthly roll-up (whole months) and the daily table (the days around them, and months from which
 * days of a medium are excluded).
 * @returns `months`: SQL condition on the roll-up's `date`, undefined when it is not read; `days`: ranges of the daily table
 */
export function monthsAndDays(
  range: DayRange,
  absent: readonly MediumDays[] = [],
): { readonly months: Sql | undefined; readonly days: readonly DayRange[] } {
  const { before, months, after } = splitByMonths(range)
  const edges = [before, after].filter(edge => edge !== undefined)
  if (!months) return { months: undefined, days: edges }
  const all: YearMonth[] = []
  for (let month = months.first; month <= months.last; month = addMonths(month, 1)) all.push(month)
  const isTouched = (month: YearMonth) =>
    absent.some(({ from, to }) => monthOfDay(from) <= month && monthOfDay(to) >= month)
  const touched = all.filter(isTouched)
  const days = [...edges, ...touched.map(month => ({ from: firstDayOf(month), to: lastDayOf(month) }))]
  if (touched.length === all.length) return { months: undefined, days }
  const exceptTouched = touched
    .map(firstDayOf)
    .reduce((conditions, first) => sql`${conditions} and date <> ${first}`, none)
  return { months: sql`date between ${firstDayOf(months.first)} and ${firstDayOf(months.last)}${exceptTouched}`, days }
}
