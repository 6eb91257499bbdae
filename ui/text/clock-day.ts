import { type Day, day } from '@pc/domain/month/day.ts'

/** Japan knows no summer time. */
const TOKYO_AHEAD_MS = 9 * 3_600_000

/**
 * Today in Asia/Tokyo, whatever the zone of the device. Reckoned: a formatter of the browser takes a slow device 80 ms to
 * make, and this is the first thing that is asked.
 */
export function todayInTokyo(instant: Date = new Date()): Day {
  return day(new Date(instant.getTime() + TOKYO_AHEAD_MS).toISOString().slice(0, 10))
}
