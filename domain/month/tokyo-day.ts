import { addDays, type Day, day, fromDayNumber, toDayNumber } from './day.ts'

const DAY_MS = 86_400_000
/** Asia/Tokyo has had no daylight saving time since 1951: a fixed offset of nine hours. */
const TOKYO_OFFSET_MS = 9 * 3_600_000
const EPOCH_DAY_NUMBER = toDayNumber(day('1970-01-01'))
/** The last one that is written with four digits for its year. */
const LAST_DAY = day('9999-12-31')

/** The Asia/Tokyo day of an instant in milliseconds since 1970-01-01T00:00Z. */
export function tokyoDayOf(instantMs: number): Day {
  if (!Number.isSafeInteger(instantMs)) throw new RangeError(`not an instant: ${instantMs}`)
  return fromDayNumber(EPOCH_DAY_NUMBER + Math.floor((instantMs + TOKYO_OFFSET_MS) / DAY_MS))
}

/** The instant, as RFC 3339, at which a day begins in Tokyo. */
export function startOfDay(value: Day): string {
  return `${value}T00:00:00+09:00`
}

/** The instant, as RFC 3339, at which a day is over in Tokyo: the start of the next, or of the last day's last second. */
export function endOfDay(value: Day): string {
  return value === LAST_DAY ? `${value}T23:59:59+09:00` : startOfDay(addDays(value, 1))
}
