import type { AgreementTerms } from '../agreement/agreement-terms.ts'
import { NO_SHARE, type RevenueShare } from '../agreement/revenue-share.ts'
import { STANDARD_TAX_TABLE } from '../money/consumption-tax.ts'
import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import { sampleHolidayCalendar } from '../month/sample-holidays.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from './deduction.ts'
import { settleMonth } from './settle-month.ts'
import type { AdjustmentRow, AgreementInput, MonthInput, RuleInput } from './settlement-input.ts'
import type { SettledMonth, SettledPayment, SettledPublisherPayment } from './settlement-result.ts'

/** For tests only: months in which everything is filled in that a test does not set itself. */

/** A month of one medium for tests; `month` is YYYYMM. `parts` replaces the defaults. */
export function sampleMonth(month: number, parts: Partial<MonthInput> = {}): MonthInput {
  return {
    mediumId: 1n,
    month: month as YearMonth,
    settings: { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' },
    taxTable: STANDARD_TAX_TABLE,
    deductionTable: STANDARD_DEDUCTION_TABLE,
    holidays: sampleHolidayCalendar(),
    agreements: [],
    poolJobs: [],
    adjustments: [],
    ...parts,
  }
}

const SAMPLE_TERMS: AgreementTerms = {
  feePaidBy: 'product',
  paymentTiming: 'a_month_later',
  minimumRevenueType: 'none',
  fixedRevenueYen: 0n,
  minimumRevenueYen: 0n,
  payoutThresholdYen: null,
}

/** An agreement of medium 1 and organisation 1 for tests. `parts` replaces the defaults. */
export function sampleAgreement(
  agreementId: bigint,
  rules: readonly RuleInput[],
  parts: Partial<Omit<AgreementInput, 'terms'>> & { readonly terms?: Partial<AgreementTerms> } = {},
): AgreementInput {
  return {
    agreementId,
    mediumId: 1n,
    organizationId: 1n,
    partnerName: `取引先${agreementId}`,
    terminatedOn: null,
    isPaymentDisabled: false,
    accounts: [{ bankAccountId: agreementId + 9000n, usedFromMonth: 202012 as YearMonth }],
    invoiceRegistrationNumber: null,
    qualifiedMonths: [],
    rules,
    ...parts,
    terms: { ...SAMPLE_TERMS, ...parts.terms },
  }
}

const SAMPLE_SHARE: RevenueShare = { ...NO_SHARE, ownAdsRateUnits: 10_000 }

/** @param ownAdsYen whole yen before the rate */
export function sampleRule(
  publisherId: bigint,
  ownAdsYen: bigint,
  parts: Partial<Omit<RuleInput, 'share'>> & { readonly share?: Partial<RevenueShare> } = {},
): RuleInput {
  return {
    ruleId: publisherId + 5000n,
    mediumId: 1n,
    publisherId,
    fixedRevenueYen: 0n,
    minimumRevenueYen: 0n,
    ownAdsMicroYen: ownAdsYen * MICRO_YEN_PER_YEN,
    carried: [],
    ...parts,
    share: { ...SAMPLE_SHARE, ...parts.share },
  }
}

/** An adjustment of one row for tests. `parts` replaces the defaults. */
export function sampleAdjustment(
  agreementId: bigint,
  publisherId: bigint,
  amountYen: bigint,
  parts: Partial<AdjustmentRow> = {},
): AdjustmentRow {
  return {
    jobId: 900n,
    line: 1,
    agreementId,
    publisherId,
    method: 'payment',
    amountYen,
    reason: 'other',
    originMonth: null,
    ...parts,
  }
}

/** The settled month. Throws when it is refused. */
export function settled(input: MonthInput): SettledMonth {
  const result = settleMonth(input)
  if (!result.ok) throw new Error(result.refusals.map(each => `${each.code} ${JSON.stringify(each.data)}`).join(', '))
  return result.value
}

/** Throws when the month has no such agreement. */
export function paymentOf(month: SettledMonth, agreementId: bigint): SettledPayment {
  const found = month.payments.find(payment => payment.agreementId === agreementId)
  if (!found) throw new Error(`no agreement ${agreementId}`)
  return found
}

/** Throws when the payment has no such publisher. */
export function publisherOf(payment: SettledPayment, publisherId: bigint): SettledPublisherPayment {
  const found = payment.publishers.find(publisher => publisher.publisherId === publisherId)
  if (!found) throw new Error(`no publisher ${publisherId}`)
  return found
}

/** The rules of the agreement for the next month, with what the settled month carried over. */
export function carriedInto(rules: readonly RuleInput[], before: SettledPayment): readonly RuleInput[] {
  return rules.map(rule => ({ ...rule, carried: publisherOf(before, rule.publisherId).nextCarried }))
}
