const FORMAT = new Intl.DateTimeFormat('ja-JP', {
  timeZone: 'Asia/Tokyo',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** An instant in Tokyo time, to the minute. Apart from `formatInstant`, whose module would make /sso heavier. */
export function tokyoTime(instant: string): string {
  return FORMAT.format(new Date(instant))
}
