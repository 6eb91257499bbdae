import { addDays, type Day, day } from '../month/day.ts'
import { EARLIEST_MONTH, firstDayOf, monthOfDay } from '../month/year-month.ts'

/** The first selectable day: 2020-12-01. */
export const EARLIEST_DAY = firstDayOf(EARLIEST_MONTH)
/** The last day that can be chosen. Calendars around it still have four-digit years. */
export const LATEST_DAY = day('2099-12-31')
/** The last month that can be chosen. The months after it, which due days and statistics need, still exist. */
export const LATEST_MONTH = monthOfDay(LATEST_DAY)

export interface DayRange {
  readonly from: Day
  /** Included. */
  readonly to: Day
}

/**
 * Seven days that end the day before yesterday, clipped to the earliest day. Yesterday is left out, because its data
 * may still be arriving.
 */
export function defaultRange(today: Day): DayRange {
  return clipRange({ from: addDays(today, -8), to: addDays(today, -2) })
}

/** Moves both ends to the earliest day if they lie before it, and puts them in order. */
function clipRange({ from, to }: DayRange): DayRange {
  const clip = (value: Day) => (value < EARLIEST_DAY ? EARLIEST_DAY : value)
  return from <= to ? { from: clip(from), to: clip(to) } : { from: clip(to), to: clip(from) }
}

/**
 * The days of a condition: both days, one day alone, or the default range.
 * Tested by `domain/condition/condition.test.ts`.
 */
export function chosenRange(chosen: { from: Day | undefined; to: Day | undefined }, today: Day): DayRange {
  if (chosen.from === undefined && chosen.to === undefined) return defaultRange(today)
  return clipRange({ from: chosen.from ?? chosen.to!, to: chosen.to ?? chosen.from! })
}

/**
 * The end of a range whose address may name either side: the end if it is not before the beginning, otherwise the
 * beginning.
 */
export function rangeEnd<T extends string | number>(from: T | undefined, to: T | undefined): T | undefined {
  return to === undefined || (from !== undefined && to < from) ? from : to
}
