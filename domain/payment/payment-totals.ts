import { consumptionTaxYen } from '../money/consumption-tax.ts'
import { sumBy } from '../money/yen.ts'

export interface TotalledPayment {
  readonly revenueYen: bigint
  readonly paymentYen: bigint
  readonly paymentTaxYen: bigint
  readonly taxRatePercent: number
}

/**
 * Totals of `monthlyPayments` over the whole filter, never over a page. The first three are of what is paid, the others
 * of the revenue of the months. `sumYen` and `sumRevenueYen` include tax.
 */
export interface PaymentTotals {
  readonly sumYen: bigint
  readonly sumWithoutTaxYen: bigint
  readonly taxSumYen: bigint
  readonly sumRevenueYen: bigint
  readonly sumRevenueTaxYen: bigint
  readonly sumRevenueWithoutTaxYen: bigint
}

/** Tested by `domain/payment/invariants.test.ts`. */
export function paymentTotals(payments: readonly TotalledPayment[]): PaymentTotals {
  const sumWithoutTaxYen = sumBy(payments, payment => payment.paymentYen)
  const taxSumYen = sumBy(payments, payment => payment.paymentTaxYen)
  const sumRevenueWithoutTaxYen = sumBy(payments, payment => payment.revenueYen)
  const sumRevenueTaxYen = sumBy(payments, each => consumptionTaxYen(each.revenueYen, each.taxRatePercent))
  return {
    sumYen: sumWithoutTaxYen + taxSumYen,
    sumWithoutTaxYen,
    taxSumYen,
    sumRevenueYen: sumRevenueWithoutTaxYen + sumRevenueTaxYen,
    sumRevenueTaxYen,
    sumRevenueWithoutTaxYen,
  }
}
