import { allocate, compareBigints } from '../money/allocate.ts'
import { divideTowardZero } from '../money/floor-division.ts'
import { magnitude, signOf, sumBy } from '../money/yen.ts'
import { compareMonths } from '../month/year-month.ts'
import type { GeneratedBucket } from './settlement-input.ts'

/** Splits the tax of one rate over its months. The result has their order and sums to `taxYen`. */
export type TaxSplit = (taxYen: bigint, months: readonly GeneratedBucket[], ratePercent: number) => readonly bigint[]

/** In version `offset_across_rates`: by largest remainder, over months that are all positive. */
export const splitByLargestRemainder: TaxSplit = (taxYen, months) => {
  const claims = months.map(month => ({ id: month.generatedMonth, weight: month.amountYen }))
  const split = allocate(taxYen, claims, compareMonths)
  if (!split.ok) throw new RangeError('a paid month is positive')
  return split.value.map(portion => portion.amountYen)
}

/**
 * Since version `returns_per_rate`: each month's own tax, rounded towards zero. The remaining yen go, one each, to the
 * months whose own fraction has their sign: the largest fraction first, then the larger amount, then the earlier month.
 * Tested by `domain/settlement/payment-tax.test.ts`.
 */
export const splitEachMonth: TaxSplit = (taxYen, months, ratePercent) => {
  const shares = months.map(({ generatedMonth, amountYen }, index) => {
    const hundredths = amountYen * BigInt(ratePercent)
    return {
      index,
      generatedMonth,
      amountYen,
      wholeYen: divideTowardZero(hundredths, 100n),
      fraction: hundredths % 100n,
    }
  })
  const leftYen = taxYen - sumBy(shares, share => share.wholeYen)
  const sign = signOf(leftYen)
  const receivers = shares
    .filter(share => sign !== 0n && signOf(share.fraction) === sign)
    .toSorted(
      (a, b) =>
        compareBigints(magnitude(b.fraction), magnitude(a.fraction)) ||
        compareBigints(magnitude(b.amountYen), magnitude(a.amountYen)) ||
        compareMonths(a.generatedMonth, b.generatedMonth),
    )
    .slice(0, Number(magnitude(leftYen)))
  const receives = new Set(receivers.map(share => share.index))
  return shares.map(share => share.wholeYen + (receives.has(share.index) ? sign : 0n))
}
