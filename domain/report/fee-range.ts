import { compareBigints } from '../money/allocate.ts'
import { floorDivide } from '../money/floor-division.ts'
import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'

/** What a publisher earned on a medium in a finalised month, and for how many views. */
export interface PublisherFee {
  /** Articles, videos and live programmes that were opened. */
  readonly views: bigint
  /** The whole fee without tax: shares of revenue, fixed fee, minimum. */
  readonly feeYen: bigint
  readonly fixedYen: bigint
  readonly topUpYen: bigint
  /** The share of own ads, in rate units (100 = 1 %). */
  readonly rateUnits: number
}

/** Quartiles in micro-yen per 1,000 views. */
export interface FeeRange {
  readonly lowest: bigint
  readonly firstQuartile: bigint
  readonly median: bigint
  readonly thirdQuartile: bigint
  readonly highest: bigint
  readonly medianRateUnits: number
}
export const FEE_POSITIONS = ['below', 'within', 'above'] as const
export type FeePosition = (typeof FEE_POSITIONS)[number]

/** Terms that differ from the other publishers' and explain the position of a fee. */
export const FEE_REASONS = ['lower_rate', 'higher_rate', 'fixed', 'minimum'] as const
export type FeeReason = (typeof FEE_REASONS)[number]

/** With fewer publishers a quartile would not contain one. */
export const MIN_PUBLISHERS = 4
/** Fees are compared per this many views. */
const VIEWS_OF_FEE = 1_000n

/** The effective fee per 1,000 views in micro-yen, rounded down; null without views. */
export function feePerMille({ feeYen, views }: Pick<PublisherFee, 'feeYen' | 'views'>): bigint | null {
  return views > 0n ? floorDivide(feeYen * MICRO_YEN_PER_YEN * VIEWS_OF_FEE, views) : null
}

/**
 * The usual fees of one medium: quartiles by nearest rank, so that each is the fee of an actual publisher.
 * Tested by `domain/report/benchmark.test.ts`.
 * @returns undefined for fewer than four publishers with views
 */
export function feeRange(fees: readonly PublisherFee[]): FeeRange | undefined {
  const counted = fees.filter(fee => fee.views > 0n)
  if (counted.length < MIN_PUBLISHERS) return undefined
  const sorted = counted.map(fee => feePerMille(fee)!).sort(compareBigints)
  const rates = counted.map(fee => fee.rateUnits).sort((a, b) => a - b)
  const at = <T>(values: readonly T[], quarters: number) => values[Math.ceil((values.length * quarters) / 4) - 1]!
  return {
    lowest: sorted[0]!,
    firstQuartile: at(sorted, 1),
    median: at(sorted, 2),
    thirdQuartile: at(sorted, 3),
    highest: sorted.at(-1)!,
    medianRateUnits: at(rates, 2),
  }
}

/** Where a fee lies in the range; null without views or without a range. */
export function feePosition(fee: PublisherFee, range: FeeRange | undefined): FeePosition | null {
  const perMille = feePerMille(fee)
  if (perMille === null || !range) return null
  if (perMille < range.firstQuartile) return 'below'
  return perMille > range.thirdQuartile ? 'above' : 'within'
}

/**
 * Why the fee differs from the others, in the order of {@link FEE_REASONS}. Without a range, rates are not compared.
 */
export function feeReasons(fee: PublisherFee, range: FeeRange | undefined): FeeReason[] {
  const reasons: FeeReason[] = []
  if (range && fee.rateUnits < range.medianRateUnits) reasons.push('lower_rate')
  if (range && fee.rateUnits > range.medianRateUnits) reasons.push('higher_rate')
  if (fee.fixedYen > 0n) reasons.push('fixed')
  if (fee.topUpYen > 0n) reasons.push('minimum')
  return reasons
}
