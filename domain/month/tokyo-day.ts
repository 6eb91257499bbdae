import { addDays, type Day, day, fromDayNumber, toDayNumber } from './day.ts'

const DAY_MS = 86_400_000
/** Asia/Tokyo has had no daylight saving time since 1951: a fixed offset of nine hours. */
const TOKYO_OFFSET_MS = 9 * 3_600_000
const EPOCH_DAY_NUMBER = toDayNumber(day('1970-01-01'))
/** The last day whose year has four digits. */
const LAST_DAY = day('9999-12-31')

/**
 * The Asia/Tokyo day of an instant in milliseconds since 1970-01-01T00:00Z.
 * Tested by `domain/month/day.test.ts`.
 */
export function tokyoDayOf(instantMs: number): Day {
  if (!Number.isSafeInteger(instantMs)) throw new RangeError(`not an instant: ${instantMs}`)
  return fromDayNumber(EPOCH_DAY_NUMBER + Math.floor((instantMs + TOKYO_OFFSET_MS) / DAY_MS))
}

/** The instant at which a day begins in Tokyo, as RFC 3339. */
export function startOfDay(value: Day): string {
  return `${value}T00:00:00+09:00`
}

/**
 * The instant at which a day ends in Tokyo, as RFC 3339: the start of the next day, or the last second of {@link
 * LAST_DAY}.
 */
export function endOfDay(value: Day): string {
  return value === LAST_DAY ? `${value}T23:59:59+09:00` : startOfDay(addDays(value, 1))
}
