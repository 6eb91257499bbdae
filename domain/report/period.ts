import { type DayRange, EARLIEST_DAY, LATEST_DAY } from '../condition/default-range.ts'
import { addDays, type Day, daysBetween } from '../month/day.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay, type YearMonth } from '../month/year-month.ts'
import { endOfPeriod, type Granularity, startOfPeriod } from './granularity.ts'

/** One day, week (from Sunday) or month of a report, and the part of it that the report covers. */
export interface Period {
  /** Identifies the period; may lie before the report's first day. */
  readonly startsOn: Day
  readonly endsOn: Day
  readonly covered: DayRange
}

/** The period that starts on `startsOn`, cut to the report's range, which it must overlap. */
export function periodOf(granularity: Granularity, startsOn: Day, range: DayRange): Period {
  const endsOn = endOfPeriod(granularity, startsOn)
  if (startOfPeriod(granularity, startsOn) !== startsOn) {
    throw new RangeError(`no ${granularity} period starts on ${startsOn}`)
  }
  if (startsOn > range.to || endsOn < range.from) {
    throw new RangeError(`the period of ${startsOn} lies outside ${range.from} … ${range.to}`)
  }
  const startsBefore = startsOn < range.from
  const endsAfter = endsOn > range.to
  return {
    startsOn,
    endsOn,
    covered: { from: startsBefore ? range.from : startsOn, to: endsAfter ? range.to : endsOn },
  }
}

/**
 * Why a period has no data: `awaited` when it begins after `dataUntil` (or there are no data yet), otherwise `none`.
 */
export function stateWithoutData({ covered }: Period, dataUntil: Day | null | undefined): 'awaited' | 'none' {
  return !dataUntil || covered.from > dataUntil ? 'awaited' : 'none'
}

/**
 * Every period that overlaps the range, ascending. Their covered parts are exactly the range.
 * Tested by `domain/report/report.test.ts`.
 */
export function periodsOf(granularity: Granularity, range: DayRange): Period[] {
  const periods: Period[] = []
  for (let next = range.from; next <= range.to; ) {
    const period = periodOf(granularity, startOfPeriod(granularity, next), range)
    periods.push(period)
    next = addDays(period.endsOn, 1)
  }
  return periods
}

/** Number of days of a range, both ends included. */
export function daysOf({ from, to }: DayRange): number {
  return daysBetween(from, to) + 1
}

/** Whether a period has ended before today in Asia/Tokyo. Its last day may lie after the report's range. */
export function isOver(endsOn: Day, today: Day): boolean {
  return endsOn < today
}

/**
 * Splits a range into its whole months, whose figures are stored by month, and the days before and after them. A part
 * that does not exist is undefined.
 */
export function splitByMonths({ from, to }: DayRange): {
  readonly before: DayRange | undefined
  readonly months: { readonly first: YearMonth; readonly last: YearMonth } | undefined
  readonly after: DayRange | undefined
} {
  const [fromMonth, toMonth] = [monthOfDay(from), monthOfDay(to)]
  const first = from === firstDayOf(fromMonth) ? fromMonth : addMonths(fromMonth, 1)
  const last = to === lastDayOf(toMonth) ? toMonth : addMonths(toMonth, -1)
  if (first > last) return { before: { from, to }, months: undefined, after: undefined }
  return {
    before: from < firstDayOf(first) ? { from, to: addDays(firstDayOf(first), -1) } : undefined,
    months: { first, last },
    after: to > lastDayOf(last) ? { from: addDays(lastDayOf(last), 1), to } : undefined,
  }
}

/** Why a range cannot be reported on; undefined when it can. */
export function rangeFault({
  from,
  to,
}: DayRange): 'report/range-reversed' | 'report/before-earliest-day' | 'report/after-latest-day' | undefined {
  if (from > to) return 'report/range-reversed'
  if (to > LATEST_DAY) return 'report/after-latest-day'
  return from < EARLIEST_DAY ? 'report/before-earliest-day' : undefined
}
