/** Named time zones of RFC 822 and of Japanese sites. */
const ZONES: Readonly<Record<string, string>> = {
  JST: '+0900',
  UT: 'GMT',
  Z: 'GMT',
  KST: '+0900',
  CET: '+0100',
  CEST: '+0200',
}

/**
 * Parses a date of a feed (RFC 822 or ISO 8601; without a zone in Tokyo time); undefined when it is invalid.
 * Tested by `features/feeds/server/read-feed.test.ts`.
 */
export function readFeedDate(text: string): Date | undefined {
  const trimmed = text.trim().slice(0, 80)
  if (trimmed === '') return undefined
  const zoned = trimmed.replace(/\s([A-Z]{1,4})$/, (whole, zone: string) => (ZONES[zone] ? ` ${ZONES[zone]}` : whole))
  const hasZone = /(?:Z|GMT|[A-Z]{3}|[+-]\d{2}:?\d{2})$/i.test(zoned)
  const isDayOnly = /^\d{4}-\d{2}-\d{2}$/.test(zoned)
  const complete = isDayOnly
    ? `${zoned}T00:00:00+09:00`
    : hasZone
      ? zoned
      : `${zoned.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')}+09:00`
  const at = Date.parse(complete)
  const year = Number.isNaN(at) ? 0 : new Date(at).getUTCFullYear()
  return year >= 1990 && year <= 2100 ? new Date(at) : undefined
}
