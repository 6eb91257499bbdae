import { addDays, type Day, day } from '../month/day.ts'
import { EARLIEST_MONTH, firstDayOf, monthOfDay } from '../month/year-month.ts'

/** The first selectable day: 2020-12-01. */
export const EARLIEST_DAY = firstDayOf(EARLIEST_MONTH)
/** Later than any report; the calendars around it can still be reckoned in four digits of a year. */
export const LATEST_DAY = day('2099-12-31')
/** The last month that anybody can name: due days, holidays and statistics of the months after it are found. */
export const LATEST_MONTH = monthOfDay(LATEST_DAY)

export interface DayRange {
  readonly from: Day
  /** Included. */
  readonly to: Day
}

/**
 * The 7 days before yesterday, clipped to the earliest day. Yesterday itself is left out:
 * its data may still be arriving.
 */
export function defaultRange(today: Day): DayRange {
  return clipRange({ from: addDays(today, -8), to: addDays(today, -2) })
}

/** Moves both ends to the earliest day if they lie before it, and puts them in order. */
function clipRange({ from, to }: DayRange): DayRange {
  const clip = (value: Day) => (value < EARLIEST_DAY ? EARLIEST_DAY : value)
  return from <= to ? { from: clip(from), to: clip(to) } : { from: clip(to), to: clip(from) }
}

/** The range of a condition whose days may be missing: two days, or the default range. One day alone is that day. */
export function chosenRange(chosen: { from: Day | undefined; to: Day | undefined }, today: Day): DayRange {
  if (chosen.from === undefined && chosen.to === undefined) return defaultRange(today)
  return clipRange({ from: chosen.from ?? chosen.to!, to: chosen.to ?? chosen.from! })
}

/** The range of the same length right before this one; undefined when it would start before the earliest day. */
export function precedingRange({ from, to }: DayRange, length: number): DayRange | undefined {
  const start = addDays(from, -length)
  return start < EARLIEST_DAY || to < from ? undefined : { from: start, to: addDays(from, -1) }
}

/** Where a range ends of which the address names both sides, one or none: one that is named backwards ends as it begins. */
export function rangeEnd<T extends string | number>(from: T | undefined, to: T | undefined): T | undefined {
  return to === undefined || (from !== undefined && to < from) ? from : to
}
