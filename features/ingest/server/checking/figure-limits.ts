/**
 * Upper limits of figures. Real figures stay far below; a timestamp in the column of a count does not.
 * Sums, also of several columns together, stay below what JavaScript (2^53 - 1) and the stores (2^63 - 1) hold.
 */

/**
 * Impressions, clicks and views of a row, and of a publisher's day.
 * Tested by `features/ingest/server/checking/accepted-is-applied.test.ts`.
 */
export const MAX_COUNT = 10 ** 12
/** More than there are people on earth. */
export const MAX_FOLLOWERS = 10 ** 10
/** 10^9 yen: the limit of a publisher's day. */
export const MAX_MICRO_YEN = 10 ** 15
export const MAX_PLAY_TIME_MS = 10 ** 15
/** The longest watch, and the longest video: a leap year. */
export const MAX_WATCHED_MS = 366 * 86_400_000

interface FigureLimits {
  /** Limit of the sum of a publisher on a medium on a day. */
  readonly day: bigint
  /** Limit of the sum over everything that was ever delivered. */
  readonly total: bigint
  /** A lower total for a delivery that adds more than `usual`, so that one absurd file leaves room for others. */
  readonly totalWithUnusual: bigint
  /** More than a large platform delivers in a day. */
  readonly usual: bigint
}

/** Reports answer counts as JavaScript numbers, and add up at most nine columns of them. */
const COUNTS: FigureLimits = {
  day: BigInt(MAX_COUNT),
  total: 10n ** 15n,
  totalWithUnusual: 5n * 10n ** 14n,
  usual: 10n ** 10n,
}
/** Micro-yen and milliseconds: reports answer yen and seconds. The stores add up at most five such columns in 64 bits. */
const FINE_UNITS: FigureLimits = {
  day: BigInt(MAX_MICRO_YEN),
  total: 10n ** 18n,
  totalWithUnusual: 5n * 10n ** 17n,
  usual: 10n ** 14n,
}

export function limitsOf(column: string): FigureLimits {
  return /_(micro_yen|ms)$/.test(column) ? FINE_UNITS : COUNTS
}
