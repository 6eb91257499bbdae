import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import { RATE_UNITS_PER_WHOLE, rateFactor } from '../money/rate.ts'
import { sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { Rounding } from './settlement-rules.ts'

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

/** An amount × rate in whole yen, rounded as the rules of its month say. */
export function shareYen(amountMicroYen: bigint, rateUnits: number, rounding: Rounding): bigint {
  return rounding.divide(amountMicroYen * rateFactor(rateUnits), SHARE_SCALE)
}
