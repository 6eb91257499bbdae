/**
 * What figures can be. Real ones stay far below; a moment in milliseconds in the column of a count does not.
 * Sums stay below what JavaScript (2^53 - 1) and the stores (2^63 - 1) hold, also of several columns together.
 */

/**
 * Impressions, clicks and views of a row, and of a publisher's day.
 * Tested by `features/ingest/server/checking/accepted-is-applied.test.ts`.
 */
export const MAX_COUNT = 10 ** 12
/** Followers: more than there are people. */
export const MAX_FOLLOWERS = 10 ** 10
/** A thousand million yen a day. */
export const MAX_MICRO_YEN = 10 ** 15
export const MAX_PLAY_TIME_MS = 10 ** 15
/** Of a single watch, and of a video: a leap year. */
export const MAX_WATCHED_MS = 366 * 86_400_000

interface FigureLimits {
  /** Of a publisher on a medium on a day. */
  readonly day: bigint
  /** Of everything that was ever delivered. */
  readonly total: bigint
  /** Of everything, for a delivery that adds more than `usual`: absurd figures do not use up what others may deliver. */
  readonly totalWithUnusual: bigint
  /** What a large platform delivers in a day stays below. */
  readonly usual: bigint
}

/** A report answers counts as numbers, and adds up nine of their columns at most. */
const COUNTS: FigureLimits = {
  day: BigInt(MAX_COUNT),
  total: 10n ** 15n,
  totalWithUnusual: 5n * 10n ** 14n,
  usual: 10n ** 10n,
}
/** Micro-yen and milliseconds are answered as yen and seconds; five columns of money are added up in 64 bits. */
const FINE_UNITS: FigureLimits = {
  day: BigInt(MAX_MICRO_YEN),
  total: 10n ** 18n,
  totalWithUnusual: 5n * 10n ** 17n,
  usual: 10n ** 14n,
}

export function limitsOf(column: string): FigureLimits {
  return /_(micro_yen|ms)$/.test(column) ? FINE_UNITS : COUNTS
}
