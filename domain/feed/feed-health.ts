import { addDays, type Day } from '../month/day.ts'

/** Why a feed could not be read. */
export const FEED_ERROR_CLASSES = ['address', 'connection', 'timeout', 'http', 'too-large', 'format'] as const
export type FeedErrorClass = (typeof FEED_ERROR_CLASSES)[number]

/** The state of a feed between two readings. Instants in milliseconds since 1970. */
export interface FeedHealth {
  readonly checkedAt: number | null
  readonly lastSuccessAt: number | null
  readonly errorClass: FeedErrorClass | null
  /** When the current series of failures began; null while the last reading succeeded. */
  readonly failingSince: number | null
  readonly failures: number
  /** When people were notified of the current outage; null when there is none. They are notified once per outage. */
  readonly alertedAt: number | null
}

export const UNCHECKED: FeedHealth = {
  checkedAt: null,
  lastSuccessAt: null,
  errorClass: null,
  failingSince: null,
  failures: 0,
  alertedAt: null,
}

export type FeedReadingOutcome = { readonly ok: true } | { readonly ok: false; readonly errorClass: FeedErrorClass }
export type FeedAlert = 'outage-began' | 'outage-ended'

/** One or two failures may be chance; an outage is at least three in a row over at least half an hour. */
const FAILURES_OF_OUTAGE = 3
const MIN_OUTAGE_MS = 30 * 60_000

/**
 * The state after one more reading, and the notice that follows from it: at most one per outage and one for its end.
 */
export function nextHealth(
  health: FeedHealth,
  at: number,
  outcome: FeedReadingOutcome,
): { readonly health: FeedHealth; readonly alert: FeedAlert | undefined } {
  if (outcome.ok) {
    return {
      health: { ...UNCHECKED, checkedAt: at, lastSuccessAt: at },
      alert: health.alertedAt === null ? undefined : 'outage-ended',
    }
  }
  const failingSince = health.failingSince ?? at
  const failures = health.failures + 1
  const isOutage = failures >= FAILURES_OF_OUTAGE && at - failingSince >= MIN_OUTAGE_MS
  const begins = isOutage && health.alertedAt === null
  return {
    health: {
      checkedAt: at,
      lastSuccessAt: health.lastSuccessAt,
      errorClass: outcome.errorClass,
      failingSince,
      failures,
      alertedAt: begins ? at : health.alertedAt,
    },
    alert: begins ? 'outage-began' : undefined,
  }
}

/**
 * - `unchecked`: never read yet.
 * - `ok`: the last reading succeeded, and the number of articles is usual.
 * - `quiet`: readable, with far fewer articles than on this weekday before.
 * - `failing`: the last reading failed, but not long enough for an outage.
 * - `outage`: people were notified.
 */
export const FEED_STATES = ['unchecked', 'ok', 'quiet', 'failing', 'outage'] as const
export type FeedState = (typeof FEED_STATES)[number]

/** @param volume articles of the last whole day; undefined: not known */
export function feedState(health: FeedHealth, volume: FeedVolume | undefined): FeedState {
  if (health.alertedAt !== null) return 'outage'
  if (health.failures > 0) return 'failing'
  if (health.checkedAt === null) return 'unchecked'
  return volume?.isLow ? 'quiet' : 'ok'
}

export interface FeedVolume {
  readonly day: Day
  readonly items: number
  /**
   * Median of the same weekday in the 28 days before, in hundredths of an article; null while fewer than two of them
   * are known.
   */
  readonly usualHundredths: number | null
  readonly isLow: boolean
}

/** Weeks before a day that its usual number is taken from, and how many of them must be known. */
const WEEKS = 4
const KNOWN_WEEKS_NEEDED = 2
/** Feeds with fewer usual articles (3 a day) vary too much to conclude anything. */
const MIN_USUAL_HUNDREDTHS = 300
/** Low: under a quarter of the usual number. */
const LOW_PART = 4

/**
 * The articles of a day compared with the usual number of its weekday.
 * @param itemsOfDay undefined for days on which the feed was not watched
 */
export function feedVolume(day: Day, itemsOfDay: (day: Day) => number | undefined): FeedVolume | undefined {
  const items = itemsOfDay(day)
  if (items === undefined) return undefined
  const before: number[] = []
  for (let week = 1; week <= WEEKS; week += 1) {
    const known = itemsOfDay(addDays(day, -7 * week))
    if (known !== undefined) before.push(known)
  }
  const usualHundredths = before.length >= KNOWN_WEEKS_NEEDED ? medianHundredths(before) : null
  const isLow =
    usualHundredths !== null && usualHundredths >= MIN_USUAL_HUNDREDTHS && items * 100 * LOW_PART < usualHundredths
  return { day, items, usualHundredths, isLow }
}

/** The median times 100. Exact, because the middle of two counts may be a half. */
export function medianHundredths(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0]
  return (low + high) * 50
}

const MINUTE_MS = 60_000
/** The longest pause that failures cause. A feed that asks for a longer interval keeps its own. */
const MAX_PAUSE_MINUTES = 12 * 60

/**
 * When a feed is read next, in milliseconds since 1970: as often as it asks for (between 5 minutes and a day), and at
 * doubling intervals after more than three failures, so that a site in trouble is left alone.
 */
export function nextReadingAt(health: FeedHealth, at: number, ttlMinutes: number): number {
  const wanted = Math.min(Math.max(ttlMinutes, 5), 24 * 60)
  // The first failures keep the normal interval, so that an outage is noticed after half an hour.
  const pause =
    health.failures <= 3 ? wanted : Math.min(wanted * 2 ** Math.min(health.failures - 3, 10), MAX_PAUSE_MINUTES)
  return at + Math.max(wanted, pause) * MINUTE_MS
}
