import { type Day, day } from '@pc/domain/month/day.ts'

/** Today in Asia/Tokyo, whatever the zone of the device; `sv-SE` writes dates as YYYY-MM-DD. */
const tokyo = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' })

export function todayInTokyo(instant: Date = new Date()): Day {
  return day(tokyo.format(instant))
}
