const TOKYO = new Intl.DateTimeFormat('ja-JP', {
  timeZone: 'Asia/Tokyo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})
const TOKYO_SECONDS = new Intl.DateTimeFormat('ja-JP', {
  timeZone: 'Asia/Tokyo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** An instant (ISO 8601) in the time of Tokyo, whatever the zone of the device: 2026/11/20 14:05 */
export function formatInstant(instant: string): string {
  return TOKYO.format(new Date(instant))
}

/** 2026/11/20 14:05:09 */
export function formatInstantWithSeconds(instant: string): string {
  return TOKYO_SECONDS.format(new Date(instant))
}
