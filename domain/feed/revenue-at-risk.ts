import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import type { FeedState } from './feed-health.ts'

/** Whole days that the usual revenue of a publisher in a medium is taken from, and how many of them must be known. */
export const REVENUE_DAYS = 28
const KNOWN_DAYS_NEEDED = 7
/** Shares in parts of ten thousand. */
const WHOLE = 10_000n

export interface FeedShortage {
  readonly state: FeedState
  /** Articles of the last whole day; null while it is not known. */
  readonly volumeItems: number | null
  /** In hundredths; null while the usual number is not known. */
  readonly usualHundredths: number | null
}

/**
 * Which part of its articles a feed does not deliver, in parts of ten thousand: all of them while it cannot be read, what
 * is missing to the usual number while it is quiet, otherwise none.
 */
export function missingShare({ state, volumeItems, usualHundredths }: FeedShortage): bigint {
  if (state === 'outage' || state === 'failing') return WHOLE
  if (state !== 'quiet' || volumeItems === null || usualHundredths === null || usualHundredths <= 0) return 0n
  const missing = BigInt(usualHundredths) - BigInt(volumeItems) * 100n
  return missing <= 0n ? 0n : (missing * WHOLE) / BigInt(usualHundredths)
}

/**
 * The part of one feed in what its publisher earns in the medium, in parts of ten thousand: by the usual numbers of
 * articles of the publisher's feeds there, and in equal parts as long as those of one are unknown.
 */
export function feedShare(own: number | null, others: readonly (number | null)[]): bigint {
  const known = others.flatMap(each => (each === null ? [] : [BigInt(each)]))
  const sum = known.reduce((total, each) => total + each, BigInt(own ?? 0))
  if (own === null || known.length < others.length || sum === 0n) return WHOLE / BigInt(others.length + 1)
  return (BigInt(own) * WHOLE) / sum
}

/** The median of days, in micro-yen, rounded down; undefined while too few days are known. */
export function usualRevenueMicroYen(days: readonly bigint[]): bigint | undefined {
  if (days.length < KNOWN_DAYS_NEEDED) return undefined
  const sorted = [...days].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const low = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0n
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0n
  return (low + high) / 2n
}

/**
 * What a shortage may cost in a day, in yen rounded down (features, 12: median daily revenue × missing share). An estimate:
 * nothing of the books comes of it. Undefined: too little is known to say anything.
 */
export function revenueAtRiskYen(days: readonly bigint[], share: bigint, missing: bigint): bigint | undefined {
  const usual = usualRevenueMicroYen(days)
  if (usual === undefined || usual < 0n) return undefined
  return (usual * share * missing) / (WHOLE * WHOLE * MICRO_YEN_PER_YEN)
}
