import { type Day, day } from '@pc/domain/month/day.ts'

/** Japan has no daylight saving time. */
const TOKYO_AHEAD_MS = 9 * 3_600_000

/**
 * Today in Asia/Tokyo, whatever the device's time zone. Computed by hand, because creating a browser formatter takes a
 * slow device 80 ms, and this is the first thing that is needed.
 */
export function todayInTokyo(instant: Date = new Date()): Day {
  return day(new Date(instant.getTime() + TOKYO_AHEAD_MS).toISOString().slice(0, 10))
}
