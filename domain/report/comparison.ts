import { type DayRange, EARLIEST_DAY } from '../condition/default-range.ts'
import { addDays, type Day, dayOf, dayParts, daysInMonth } from '../month/day.ts'
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

/**
 * The days with which a part of a report's range is compared. Adjacent parts have adjacent days, so that rows and
 * totals are compared with the same days. Undefined when those days do not exist (29 February) or lie before the
 * product's first day.
 */
export function comparedRange(comparison: Comparison, range: DayRange, part: DayRange = range): DayRange | undefined {
  const compared =
    comparison === 'same_month_last_year' ? oneYearBack(part) : daysBack(shiftOf(comparison, range), part)
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

/** Days to go back to the nearest earlier days that do not overlap; for weekdays, whole weeks. */
function shiftOf(comparison: Exclude<Comparison, 'same_month_last_year'>, range: DayRange): number {
  const length = daysOf(range)
  return comparison === 'previous_period' ? length : Math.ceil(length / DAYS_PER_WEEK) * DAYS_PER_WEEK
}

function daysBack(days: number, { from, to }: DayRange): DayRange {
  return { from: addDays(from, -days), to: addDays(to, -days) }
}

/**
 * The same days a year earlier. A range that ends with its month ends with that month a year earlier, also where one of
 * the two has a 29 February.
 */
function oneYearBack({ from, to }: DayRange): DayRange | undefined {
  const first = dayParts(from)
  const last = dayParts(to)
  const startsOn =
    first.date > daysInMonth(first.year - 1, first.month)
      ? dayOf(first.year - 1, first.month + 1, 1)
      : dayOf(first.year - 1, first.month, first.date)
  const endsOn = dayOf(last.year - 1, last.month, lastDateBack(to))
  return startsOn <= endsOn ? { from: startsOn, to: endsOn } : undefined
}

function lastDateBack(to: Day): number {
  const { year, month, date } = dayParts(to)
  const lastDate = daysInMonth(year - 1, month)
  return date === daysInMonth(year, month) ? lastDate : Math.min(date, lastDate)
}
