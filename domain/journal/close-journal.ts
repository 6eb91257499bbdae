import { type TaxTable, taxRatePercentOf } from '../money/consumption-tax.ts'
import { divideTowardZero } from '../money/floor-division.ts'
import { magnitude, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { monthText } from '../month/day-text.ja.ts'
import { compareMonths, lastDayOf, type YearMonth } from '../month/year-month.ts'
import { type DeductionTable, deductiblePercentOf, splitInputTax } from '../settlement/deduction.ts'
import { mergeBuckets } from '../settlement/generated-bucket.ts'
import type { AgreementInput, GeneratedBucket } from '../settlement/settlement-input.ts'
import type { SettledPayment } from '../settlement/settlement-result.ts'
import {
  type JournalEntry,
  type JournalLine,
  plainLine,
  signedLine,
  type TaxCategory,
  taxCategoryOf,
} from './journal-entry.ts'

/**
 * When input tax is booked: when revenue is accrued, as the service is received then, or when its payment is finalised.
 * A dated setting; the month in which the revenue arose decides.
 */
export const INPUT_TAX_TIMINGS = ['finalising', 'accrual'] as const
export type InputTaxTiming = (typeof INPUT_TAX_TIMINGS)[number]
export type InputTaxTimingOf = (month: YearMonth) => InputTaxTiming

/** What the tax of a month is computed from. */
export interface AccrualTaxes {
  readonly timingOf: InputTaxTimingOf
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
}

export interface AccrualAgreement extends Pick<AgreementInput, 'qualifiedMonths'> {
  readonly rules: readonly { readonly carried: readonly GeneratedBucket[] }[]
}

/**
 * The entry at the end of the revenue month: what was earned, by the month that it belongs to; null when nothing was
 * earned. Where input tax is booked at the accrual, the entry books the tax of the new balance less that of the old
 * one, so that the books always hold the tax of the balance. Each month keeps the deduction of its own day, even if a
 * later month corrects it after the payee's registration has changed.
 * Tested by `domain/journal/journal.test.ts`.
 * @param agreement what the month was computed from: opening balances and the payee's qualified months
 */
export function accrualEntry(
  payment: SettledPayment,
  agreement: AccrualAgreement,
  { timingOf, taxTable, deductionTable }: AccrualTaxes,
): JournalEntry | null {
  const before = balancesOf(agreement.rules.flatMap(rule => rule.carried))
  const after = balancesOf(payment.publishers.flatMap(publisher => publisher.openBuckets))
  const months = [...new Set([...before.keys(), ...after.keys()])].toSorted(compareMonths)
  const taxed: JournalLine[] = []
  let taxedYen = 0n
  for (const month of months.filter(each => timingOf(each) === 'accrual')) {
    const [beforeYen, afterYen] = [before.get(month) ?? 0n, after.get(month) ?? 0n]
    if (beforeYen === afterYen) continue
    const ratePercent = taxRatePercentOf(taxTable, month)
    const deductiblePercent = deductiblePercentOf(deductionTable, month, agreement.qualifiedMonths.includes(month))
    const taxBefore = inputTaxOf(beforeYen, ratePercent, deductiblePercent)
    const taxAfter = inputTaxOf(afterYen, ratePercent, deductiblePercent)
    const amountYen = afterYen - beforeYen
    const deductibleTaxYen = taxAfter.deductibleTaxYen - taxBefore.deductibleTaxYen
    const nonDeductibleTaxYen = taxAfter.nonDeductibleTaxYen - taxBefore.nonDeductibleTaxYen
    taxedYen += amountYen
    taxed.push(
      costLine(month, ratePercent, deductiblePercent, { amountYen, deductibleTaxYen, nonDeductibleTaxYen }),
      ...signedLine('credit', 'accrued_cost', amountYen + deductibleTaxYen + nonDeductibleTaxYen),
    )
  }
  const plainYen = payment.revenueYen + payment.manualAdjustmentRevenueYen - taxedYen
  const lines = [
    ...signedLine('debit', 'publisher_cost', plainYen),
    ...signedLine('credit', 'accrued_cost', plainYen),
    ...taxed,
  ]
  if (lines.length === 0) return null
  return {
    stage: 'accrual',
    on: lastDayOf(payment.revenueGeneratedAtMonth),
    reference: referenceOf(payment),
    partnerName: payment.partnerName,
    description: `${monthText(payment.revenueGeneratedAtMonth)}分 媒体報酬 計上`,
    lines: lines.toSorted((a, b) => (a.side === b.side ? 0 : a.side === 'debit' ? -1 : 1)),
  }
}

/**
 * The entry when the month is finalised. For months whose tax is booked now, the accrued cost is reversed and booked
 * again with its tax, by generated month, against the payable. The tax category is that of the cost, with the deduction
 * rate of the month in which it arose; a month that is given back stands on the other side. For months whose tax was
 * booked at the accrual, cost and tax become payable, together with the yen by which the tax of the payment differs
 * from the sum of its months.
 */
export function payableEntry(
  payment: SettledPayment,
  finalizedOn: Day,
  timingOf: InputTaxTimingOf,
): JournalEntry | null {
  if (payment.paymentYen === 0n) return null
  const accrued = payment.paidBuckets.filter(bucket => timingOf(bucket.generatedMonth) === 'accrual')
  const others = payment.paidBuckets.filter(bucket => timingOf(bucket.generatedMonth) === 'finalising')
  const otherYen = sumBy(others, bucket => bucket.amountYen)
  const taxes = accrued.map(each => inputTaxOf(each.amountYen, each.ratePercent, each.deductiblePercent))
  const deductibleYen = sumBy(taxes, tax => tax.deductibleTaxYen)
  const nonDeductibleYen = sumBy(taxes, tax => tax.nonDeductibleTaxYen)
  const accruedYen = sumBy(accrued, bucket => bucket.amountYen) + deductibleYen + nonDeductibleYen
  return {
    stage: 'payable',
    on: finalizedOn,
    reference: referenceOf(payment),
    partnerName: payment.partnerName,
    description: `${monthText(payment.revenueGeneratedAtMonth)}分 媒体報酬 支払確定`,
    lines: [
      ...signedLine('debit', 'accrued_cost', otherYen),
      ...signedLine('credit', 'publisher_cost', otherYen),
      ...others.map(bucket => costLine(bucket.generatedMonth, bucket.ratePercent, bucket.deductiblePercent, bucket)),
      ...signedLine('debit', 'accrued_cost', accruedYen),
      ...signedLine('debit', 'input_tax', sumBy(accrued, bucket => bucket.deductibleTaxYen) - deductibleYen),
      ...signedLine(
        'debit',
        'non_deductible_tax',
        sumBy(accrued, bucket => bucket.nonDeductibleTaxYen) - nonDeductibleYen,
      ),
      plainLine('credit', 'payable', payment.paymentIncludingTaxYen),
    ],
  }
}

function balancesOf(buckets: readonly GeneratedBucket[]): ReadonlyMap<YearMonth, bigint> {
  return new Map(mergeBuckets(buckets).map(bucket => [bucket.generatedMonth, bucket.amountYen]))
}

/** The cost of a generated month with its tax; on the credit side when it is given back. */
function costLine(
  generatedMonth: YearMonth,
  ratePercent: number,
  deductiblePercent: number,
  {
    amountYen,
    deductibleTaxYen,
    nonDeductibleTaxYen,
  }: Pick<JournalLine, 'amountYen' | 'deductibleTaxYen' | 'nonDeductibleTaxYen'>,
): JournalLine {
  return {
    side: amountYen < 0n ? 'credit' : 'debit',
    account: 'publisher_cost',
    amountYen: magnitude(amountYen),
    deductibleTaxYen: magnitude(deductibleTaxYen),
    nonDeductibleTaxYen: magnitude(nonDeductibleTaxYen),
    taxCategory: taxCategoryOf(ratePercent, deductiblePercent),
    generatedMonth,
  }
}

/** The input tax on the balance of one month, rounded towards zero, and its deductible part. */
function inputTaxOf(amountYen: bigint, ratePercent: number, deductiblePercent: number) {
  return splitInputTax(divideTowardZero(amountYen * BigInt(ratePercent), 100n), deductiblePercent)
}

/**
 * The tax category of a purchase from this supplier in a generated month.
 * @internal Tests call it.
 */
export function purchaseTaxCategory(
  table: DeductionTable,
  month: YearMonth,
  isQualified: boolean,
  ratePercent: number,
): TaxCategory {
  return taxCategoryOf(ratePercent, deductiblePercentOf(table, month, isQualified))
}

function referenceOf(payment: SettledPayment): string {
  return `payment:${payment.agreementId}/${payment.revenueGeneratedAtMonth}`
}
