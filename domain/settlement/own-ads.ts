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
 * A rule's own ads of the month: the sum of its days, before any rounding.
 * @internal Tests call it.
 */
export function ownAdsOfMonth(days: readonly OwnAdsDay[]): bigint {
  return sumBy(days, each => each.amountMicroYen)
}

/** Units of micro-yen × rate units in one yen. */
const SHARE_SCALE = RATE_UNITS_PER_WHOLE * MICRO_YEN_PER_YEN

/**
 * Amount × rate in whole yen, rounded by the rules of the month.
 * Tested by `domain/settlement/worked-examples.test.ts`.
 */
export function shareYen(amountMicroYen: bigint, rateUnits: number, rounding: Rounding): bigint {
  return rounding.divide(amountMicroYen * rateFactor(rateUnits), SHARE_SCALE)
}
