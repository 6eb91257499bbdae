import { consumptionTaxYen, type TaxTable, taxRatePercentOf } from '../money/consumption-tax.ts'
import { sumBy } from '../money/yen.ts'
import { compareMonths, type YearMonth } from '../month/year-month.ts'
import { type DeductionTable, deductiblePercentOf, splitInputTax } from './deduction.ts'
import type { GeneratedBucket } from './settlement-input.ts'
import type { PaidBucket, TaxLine } from './settlement-result.ts'
import type { TaxSplit } from './tax-split.ts'

export interface PaymentTax {
  readonly taxLines: readonly TaxLine[]
  readonly paymentTaxYen: bigint
  readonly paidBuckets: readonly PaidBucket[]
}

export interface TaxRules {
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
  readonly isQualifiedIn: (month: YearMonth) => boolean
  readonly splitTax: TaxSplit
}

/**
 * The tax of the paid months, grouped by rate. The tax of a rate is rounded down (by its magnitude) once, then split
 * over its months, and each month's tax into a deductible part and cost. A rate whose months sum to 0 has no line.
 */
export function paymentTax(buckets: readonly GeneratedBucket[], rules: TaxRules): PaymentTax {
  const byRate = Map.groupBy(buckets, bucket => taxRatePercentOf(rules.taxTable, bucket.generatedMonth))
  const groups = [...byRate]
    .toSorted(([a], [b]) => b - a)
    .map(([ratePercent, months]) => taxGroup(ratePercent, months, rules))
  return {
    taxLines: groups.map(group => group.line).filter(line => line.amountYen !== 0n),
    paymentTaxYen: sumBy(groups, group => group.line.taxYen),
    paidBuckets: groups
      .flatMap(group => group.buckets)
      .toSorted((a, b) => compareMonths(a.generatedMonth, b.generatedMonth)),
  }
}

function taxGroup(
  ratePercent: number,
  buckets: readonly GeneratedBucket[],
  rules: TaxRules,
): { readonly line: TaxLine; readonly buckets: readonly PaidBucket[] } {
  const amountYen = sumBy(buckets, bucket => bucket.amountYen)
  const taxYen = consumptionTaxYen(amountYen, ratePercent)
  const taxes = rules.splitTax(taxYen, buckets, ratePercent)
  return {
    line: { ratePercent, amountYen, taxYen },
    buckets: buckets.map((bucket, index) => {
      const monthTaxYen = taxes[index]!
      const isQualified = rules.isQualifiedIn(bucket.generatedMonth)
      const deductiblePercent = deductiblePercentOf(rules.deductionTable, bucket.generatedMonth, isQualified)
      return {
        ...bucket,
        ratePercent,
        taxYen: monthTaxYen,
        isQualified,
        deductiblePercent,
        ...splitInputTax(monthTaxYen, deductiblePercent),
      }
    }),
  }
}
