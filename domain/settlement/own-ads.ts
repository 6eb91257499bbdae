import { divideTowardZero, floorDivide } from '../money/floor-division.ts'
import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import { RATE_UNITS_PER_WHOLE, rateFactor } from '../money/rate.ts'
import { sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'

export interface OwnAdsDay {
  readonly day: Day
  readonly amountMicroYen: bigint
}

/**
 * G_r: the days of a month added up before anything is rounded.
 * @internal Tests call it.
 */
export function ownAdsOfMonth(days: readonly OwnAdsDay[]): bigint {
  return sumBy(days, each => each.amountMicroYen)
}

/** Micro-yen × rate units in a yen. */
const SHARE_SCALE = RATE_UNITS_PER_WHOLE * MICRO_YEN_PER_YEN

/** ⌊G × rate ÷ (10,000 × 1,000,000)⌋: one floor per rule and month. */
export function ownAdsRevenueYen(ownAdsMicroYen: bigint, rateUnits: number): bigint {
  return floorDivide(ownAdsMicroYen * rateFactor(rateUnits), SHARE_SCALE)
}

/** The same of figures as reports show them, which may be negative until they are corrected. */
export function shownShareYen(shownMicroYen: bigint, rateUnits: number): bigint {
  return divideTowardZero(shownMicroYen * rateFactor(rateUnits), SHARE_SCALE)
}
