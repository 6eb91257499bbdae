import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import type { FeedState } from './feed-health.ts'

/** Days from which the usual revenue of a publisher on a medium is taken, and how many of them must be known. */
export const REVENUE_DAYS = 28
/** With fewer known days there is no estimate. */
const KNOWN_DAYS_NEEDED = 7
/** Shares are in ten-thousandths. */
const WHOLE = 10_000n

export interface FeedShortage {
  readonly state: FeedState
  /** Articles of the last whole day; null while unknown. */
  readonly volumeItems: number | null
  /** In hundredths; null while unknown. */
  readonly usualHundredths: number | null
}

/**
 * The part of its articles that a feed does not deliver, in ten-thousandths: all while it cannot be read, what is
 * missing from the usual number while it is quiet, otherwise none.
 */
export function missingShare({ state, volumeItems, usualHundredths }: FeedShortage): bigint {
  if (state === 'outage' || state === 'failing') return WHOLE
  if (state !== 'quiet' || volumeItems === null || usualHundredths === null || usualHundredths <= 0) return 0n
  const missing = BigInt(usualHundredths) - BigInt(volumeItems) * 100n
  return missing <= 0n ? 0n : (missing * WHOLE) / BigInt(usualHundredths)
}

/**
 * The share of one feed in what its publisher earns on the medium, in ten-thousandths: by the usual numbers of articles
 * of the publisher's feeds there, or equal parts while one of these is unknown.
 */
export function feedShare(own: number | null, others: readonly (number | null)[]): bigint {
  const known = others.flatMap(each => (each === null ? [] : [BigInt(each)]))
  const sum = known.reduce((total, each) => total + each, BigInt(own ?? 0))
  if (own === null || known.length < others.length || sum === 0n) return WHOLE / BigInt(others.length + 1)
  return (BigInt(own) * WHOLE) / sum
}

/** The median of the days in micro-yen, rounded down; undefined while too few days are known. */
export function usualRevenueMicroYen(days: readonly bigint[]): bigint | undefined {
  if (days.length < KNOWN_DAYS_NEEDED) return undefined
  const sorted = [...days].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const low = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0n
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0n
  return (low + high) / 2n
}

/**
 * What a shortage may cost in a day, in yen rounded down: median daily revenue × share of the feed × missing share. An
 * estimate that no booking uses. Undefined: too little is known.
 */
export function revenueAtRiskYen(days: readonly bigint[], share: bigint, missing: bigint): bigint | undefined {
  const usual = usualRevenueMicroYen(days)
  if (usual === undefined || usual < 0n) return undefined
  return (usual * share * missing) / (WHOLE * WHOLE * MICRO_YEN_PER_YEN)
}
