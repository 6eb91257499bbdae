import { type DayRange, EARLIEST_DAY } from '../condition/default-range.ts'
import { addDays, dayOf, dayParts, daysInMonth } from '../month/day.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay } from '../month/year-month.ts'
import type { MediumDays } from './arrival.ts'
import { daysOf } from './period.ts'

/** What the figures of a report can be compared with. */
export const COMPARISONS = ['previous_period', 'same_weekdays', 'same_month_last_year'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const COMPARISON_LABELS: Readonly<Record<Comparison, string>> = {
  previous_period: '前の期間',
  same_weekdays: '前の同じ曜日',
  same_month_last_year: '前年同月',
}

/** Shown instead of a change when either period has unknown days: a missing day would look like a loss or a gain. */
export const NOTHING_COMPARABLE = '比較できるデータがありません'
/** Shown at the total when only single rows can be compared. */
export const ONLY_ROWS_COMPARABLE = '合計は比較できません。データのある行だけを比べています'

const DAYS_PER_WEEK = 7
const MONTHS_PER_YEAR = 12

/**
 * The days with which a part of a report's range is compared. Adjacent parts have adjacent days, so that rows and
 * totals are compared with the same days. The period before whole months is as many whole months. Undefined when those
 * days do not exist (29 February) or lie before the product's first day.
 */
export function comparedRange(comparison: Comparison, range: DayRange, part: DayRange = range): DayRange | undefined {
  const months = monthsBackOf(comparison, range)
  const compared =
    comparison === 'same_month_last_year' || months > 0
      ? monthsBack(months || MONTHS_PER_YEAR, part)
      : daysBack(shiftOf(comparison, range), part)
  return compared && compared.from >= EARLIEST_DAY ? compared : undefined
}

/**
 * The days with which a part of a report's range is compared when only some days are known. Of a part that has only
 * begun to arrive, the days that are there are compared. Undefined when the part has no data yet, or its comparison
 * begins before the first known day.
 * @param known the first and the last day with data; undefined: none
 */
export function comparableRange(
  comparison: Comparison,
  range: DayRange,
  known: DayRange | undefined,
  part: DayRange = range,
): DayRange | undefined {
  if (!known || part.from > known.to) return undefined
  const arrived = part.to > known.to ? { from: part.from, to: known.to } : part
  const compared = comparedRange(comparison, range, arrived)
  return compared && compared.from >= known.from ? compared : undefined
}

/** One range from the first compared day to the last day of the report. */
export function withCompared(comparison: Comparison | undefined, range: DayRange): DayRange {
  const compared = comparison && comparedRange(comparison, range)
  return compared ? { from: compared.from, to: range.to } : range
}

/**
 * The earlier days with which a medium's missing days would have been compared. They are left out of the comparison, so
 * that a medium that is a day behind does not look like a loss.
 * @param missing days of the range that media have not delivered
 */
export function withoutTheirDays(
  comparison: Comparison,
  range: DayRange,
  missing: readonly MediumDays[],
): readonly MediumDays[] {
  return missing.flatMap(({ mediumId, ...part }) => {
    const days = comparedRange(comparison, range, part)
    return days ? [{ mediumId, ...days }] : []
  })
}

/** Months to go back when the period before is one of whole months, otherwise 0. */
function monthsBackOf(comparison: Comparison, { from, to }: DayRange): number {
  const first = dayParts(from)
  const last = dayParts(to)
  const isWhole = first.date === 1 && last.date === daysInMonth(last.year, last.month)
  if (comparison !== 'previous_period' || !isWhole) return 0
  return (last.year - first.year) * MONTHS_PER_YEAR + last.month - first.month + 1
}

/** Days to go back to the nearest earlier days that do not overlap; for weekdays, whole weeks. */
function shiftOf(comparison: Exclude<Comparison, 'same_month_last_year'>, range: DayRange): number {
  const length = daysOf(range)
  return comparison === 'previous_period' ? length : Math.ceil(length / DAYS_PER_WEEK) * DAYS_PER_WEEK
}

function daysBack(days: number, { from, to }: DayRange): DayRange {
  return { from: addDays(from, -days), to: addDays(to, -days) }
}

/**
 * The same dates some months earlier. A range that ends with its month ends with the earlier month too, whatever the
 * lengths of the two. Undefined for dates that the earlier month lacks.
 */
function monthsBack(months: number, { from, to }: DayRange): DayRange | undefined {
  const first = dayParts(from)
  const last = dayParts(to)
  const startMonth = addMonths(monthOfDay(from), -months)
  const endMonth = addMonths(monthOfDay(to), -months)
  const start = dayParts(firstDayOf(startMonth))
  const startsOn =
    first.date > daysInMonth(start.year, start.month)
      ? firstDayOf(addMonths(startMonth, 1))
      : dayOf(start.year, start.month, first.date)
  const end = dayParts(lastDayOf(endMonth))
  const isMonthEnd = last.date === daysInMonth(last.year, last.month)
  const endsOn = isMonthEnd ? lastDayOf(endMonth) : dayOf(end.year, end.month, Math.min(last.date, end.date))
  return startsOn <= endsOn ? { from: startsOn, to: endsOn } : undefined
}
