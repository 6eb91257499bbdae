import { type DayRange, EARLIEST_DAY } from '../condition/default-range.ts'
import { addDays, type Day, dayOf, dayParts, daysInMonth } from '../month/day.ts'
import type { MediumDays } from './arrival.ts'
import { daysOf } from './period.ts'

/** What the figures of a report can be set against. */
export const COMPARISONS = ['previous_period', 'same_weekdays', 'same_month_last_year'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const COMPARISON_LABELS: Readonly<Record<Comparison, string>> = {
  previous_period: '前の期間',
  same_weekdays: '前の同じ曜日',
  same_month_last_year: '前年同月',
}

/** Days that are not known are compared with nothing: a missing day would look like a loss, or like a gain. */
export const NOTHING_COMPARABLE = '比較できるデータがありません'
/** The same of all rows together, where the days of single ones are known. */
export const ONLY_ROWS_COMPARABLE = '合計は比較できません。データのある行だけを比べています'

const DAYS_PER_WEEK = 7

/**
 * The days that a part of a report's range is compared with. Parts that lie side by side are compared with parts that
 * lie side by side, so that rows and totals are compared with the same days. Undefined: with nothing, because those
 * days do not exist (29 February) or lie before the product's first day.
 */
export function comparedRange(comparison: Comparison, range: DayRange, part: DayRange = range): DayRange | undefined {
  const compared =
    comparison === 'same_month_last_year' ? oneYearBack(part) : daysBack(shiftOf(comparison, range), part)
  return compared && compared.from >= EARLIEST_DAY ? compared : undefined
}

/**
 * The days that a part of a report's range is compared with, when only some days are known: figures that have not
 * arrived would look like a loss, and days before the first figures like a gain. Of a part that has only begun to arrive,
 * the days that are there are compared; days before the first known one are not compared at all.
 * @param known the first and the last day for which anything has arrived; undefined: none
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

/** The range together with the days that it is compared with. */
export function withCompared(comparison: Comparison | undefined, range: DayRange): DayRange {
  const compared = comparison && comparedRange(comparison, range)
  return compared ? { from: compared.from, to: range.to } : range
}

/**
 * The days before that a medium's missing days would have been compared with. They are left out of what is compared, so
 * that each medium is compared by its own days: one that is a day behind is no loss.
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

/** The nearest earlier days that do not overlap; for weekdays, whole weeks earlier. */
function shiftOf(comparison: Exclude<Comparison, 'same_month_last_year'>, range: DayRange): number {
  const length = daysOf(range)
  return comparison === 'previous_period' ? length : Math.ceil(length / DAYS_PER_WEEK) * DAYS_PER_WEEK
}

function daysBack(days: number, { from, to }: DayRange): DayRange {
  return { from: addDays(from, -days), to: addDays(to, -days) }
}

/** A range that ends with its month ends with the month of the year before, whichever of both has the 29 February. */
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
