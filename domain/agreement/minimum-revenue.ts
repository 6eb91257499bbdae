/** What a guaranteed minimum is compared with: the agreement's total, each rule's own revenue, or nothing. */
export const MINIMUM_REVENUE_TYPES = ['by_agreement', 'by_publisher', 'none'] as const
export type MinimumRevenueType = (typeof MINIMUM_REVENUE_TYPES)[number]

/**
 * The amount missing to the guarantee; 0 once it is reached.
 * Tested by `domain/agreement/agreement.test.ts`.
 */
export function topUpYen(minimumRevenueYen: bigint, reachedYen: bigint): bigint {
  if (minimumRevenueYen < 0n || reachedYen < 0n) throw new RangeError('revenue under a guarantee is not negative')
  return minimumRevenueYen > reachedYen ? minimumRevenueYen - reachedYen : 0n
}
