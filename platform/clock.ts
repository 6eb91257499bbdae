import { type Day, day } from '@pc/domain/month/day.ts'
import { type YearMonth, yearMonth } from '@pc/domain/month/year-month.ts'

/** The only source of time in server code. It is passed as an argument, so that tests choose the instant. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock for tests that stands still. @param instant ISO 8601 with offset */
export function fixedClock(instant: string): Clock & { set(instant: string): void } {
  let at = Date.parse(instant)
  return {
    now: () => at,
    set: next => {
      at = Date.parse(next)
    },
  }
}

/** Asia/Tokyo has had no daylight saving time since 1951: a fixed offset of nine hours. */
const TOKYO_OFFSET_MS = 9 * 3_600_000

/** The current day in Asia/Tokyo. */
export function today(clock: Clock): Day {
  return dayAt(clock.now())
}

/** The Asia/Tokyo day of an instant in milliseconds. */
export function dayAt(instantMs: number): Day {
  return day(new Date(instantMs + TOKYO_OFFSET_MS).toISOString().slice(0, 10))
}

/** The current month in Asia/Tokyo. */
export function thisMonth(clock: Clock): YearMonth {
  const here = new Date(clock.now() + TOKYO_OFFSET_MS)
  return yearMonth(here.getUTCFullYear(), here.getUTCMonth() + 1)
}
