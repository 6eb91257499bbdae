import type { FeePayer } from '../agreement/agreement-terms.ts'
import type { PoolKind, RevenueShare } from '../agreement/revenue-share.ts'
import type { Day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { AdjustmentRow, GeneratedBucket, ManualOperationMethod } from './settlement-input.ts'

/** The parts of which revenue is the sum (invariant I1). Yen without tax; none is negative. */
export interface RevenueParts {
  readonly adsRevenueYen: bigint
  readonly sspRevenueYen: bigint
  readonly videoSspRevenueYen: bigint
  readonly liveSspRevenueYen: bigint
  readonly fixedRevenueAppliedYen: bigint
  readonly minimumTopUpRevenueYen: bigint
}
/** In the order in which they are shown. */
export const REVENUE_PART_LABELS: Readonly<Record<keyof RevenueParts, string>> = {
  adsRevenueYen: '自社広告分',
  sspRevenueYen: 'SSP分',
  videoSspRevenueYen: '動画SSP分',
  liveSspRevenueYen: 'ライブSSP分',
  fixedRevenueAppliedYen: '固定額',
  minimumTopUpRevenueYen: '最低保証調整',
}
export const REVENUE_PARTS = Object.keys(REVENUE_PART_LABELS) as (keyof RevenueParts)[]

/** The running balance. `cumulativeRevenueYen` = carried over + revenue + manual adjustment. */
export interface Balance {
  readonly revenueYen: bigint
  readonly manualAdjustmentRevenueYen: bigint
  readonly carriedOverRevenueYen: bigint
  readonly cumulativeRevenueYen: bigint
  readonly paymentYen: bigint
  readonly carriedOverToNextYen: bigint
}
export const BALANCE_LABELS: Readonly<Record<keyof Balance, string>> = {
  revenueYen: '収益',
  manualAdjustmentRevenueYen: '調整額',
  carriedOverRevenueYen: '前月繰越',
  cumulativeRevenueYen: '累計',
  paymentYen: '支払額',
  carriedOverToNextYen: '次月繰越',
}
export const BALANCES = Object.keys(BALANCE_LABELS) as (keyof Balance)[]

/** All of them, as a payment and each of its publishers has them: the columns of both tables have these names. */
export type Amounts = RevenueParts & Balance
export const AMOUNTS = [...REVENUE_PARTS, ...BALANCES] as const

export type HoldReason =
  | { readonly code: 'NON_POSITIVE_BALANCE' }
  | { readonly code: 'PAYMENT_DISABLED' }
  | { readonly code: 'NO_BANK_ACCOUNT' }
  | { readonly code: 'NON_POSITIVE_TOTAL' }
  | { readonly code: 'BELOW_THRESHOLD'; readonly thresholdYen: bigint }

/**
 * The status that a row takes when its month is finalised; before that it is `accruing` or `computed`. Carried over: the balance
 * is too small or negative; held: it could be paid, but payment is switched off or an account is missing.
 */
export type SettlementOutcome = 'scheduled' | 'carried_over' | 'held'

/** One agreement in one month; it becomes a MonthlyPayment and its agreement snapshot. */
export interface SettledPayment extends RevenueParts, Balance {
  readonly agreementId: bigint
  readonly mediumId: bigint
  readonly organizationId: bigint
  readonly revenueGeneratedAtMonth: YearMonth
  readonly partnerName: string
  readonly qualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
  readonly feePaidBy: FeePayer
  readonly isActive: boolean
  readonly isTerminated: boolean
  readonly payoutThresholdYen: bigint
  /** What the agreement itself adds, before it is split over the publishers: its fixed amount and its top-up to the minimum. */
  readonly agreementFixedYen: bigint
  readonly agreementTopUpYen: bigint
  readonly outcome: SettlementOutcome
  /** Why nothing is paid; null when something is. */
  readonly reason: HoldReason | null
  /** The standard tax rate of the revenue month, in whole per cent. */
  readonly taxRatePercent: number
  readonly taxLines: readonly TaxLine[]
  readonly paymentTaxYen: bigint
  readonly paymentIncludingTaxYen: bigint
  readonly paidBuckets: readonly PaidBucket[]
  /** Before it is moved off a bank holiday. */
  readonly dueOnNominal: Day
  readonly dueOn: Day
  /** The month in which it is to be paid; null when nothing is. */
  readonly paidAtMonth: YearMonth | null
  /** The account used in that month; null when nothing is paid. */
  readonly bankAccountId: bigint | null
  readonly publishers: readonly SettledPublisherPayment[]
}

/** Tax is rounded once per statement and rate. Negative: the months of the rate are a return (返還). */
export interface TaxLine {
  readonly ratePercent: number
  readonly amountYen: bigint
  readonly taxYen: bigint
}

/**
 * The part of a payment that one generated month contributes; negative for a return. The split of the tax is visible to
 * staff only.
 */
export interface PaidBucket extends GeneratedBucket {
  readonly ratePercent: number
  readonly taxYen: bigint
  readonly isQualified: boolean
  readonly deductiblePercent: number
  readonly deductibleTaxYen: bigint
  readonly nonDeductibleTaxYen: bigint
}

/** One publisher rule in one month; it becomes a MonthlyPublisherPayment and its rule snapshot. */
export interface SettledPublisherPayment extends RevenueParts, Balance {
  readonly ruleId: bigint
  readonly publisherId: bigint
  readonly share: RevenueShare
  /** Revenue of own ads in the month, before the rate and unrounded; also when the agreement no longer earns. */
  readonly ownAdsMicroYen: bigint
  readonly poolShares: readonly PoolShare[]
  /** Fixed amounts and top-ups: of the publisher's own rule, and its part of the agreement's. */
  readonly fixedOfRuleYen: bigint
  readonly fixedOfAgreementYen: bigint
  readonly topUpOfRuleYen: bigint
  readonly topUpOfAgreementYen: bigint
  readonly adjustments: readonly AppliedAdjustment[]
  /** The balance by generated month before the payment; it sums to the cumulative revenue. */
  readonly openBuckets: readonly GeneratedBucket[]
  /** The balance with which the next month starts. */
  readonly nextCarried: readonly GeneratedBucket[]
  /** This publisher's part of the statement's tax by largest remainder, for information only. */
  readonly referenceTaxYen: bigint
}

/** A rule's part of one pool. */
export interface PoolShare {
  readonly jobId: bigint
  readonly kind: PoolKind
  readonly method: ManualOperationMethod
  readonly weight: bigint
  /** Pool × weight ÷ all weights, rounded down; the yen that are left go one each to the largest remainders (`extraYen`). */
  readonly quotaYen: bigint
  readonly extraYen: bigint
  /** Quota + extra yen, before the rate. */
  readonly allocatedYen: bigint
  readonly rateUnits: number
  /** ⌊allocated × rate⌋. */
  readonly shareYen: bigint
  /** The share if the job pays; 0 if it discards. */
  readonly bookedYen: bigint
}

/** A CSV row and its effect. `appliedYen` is signed; a discard stops at a balance of 0. */
export interface AppliedAdjustment extends AdjustmentRow {
  readonly appliedYen: bigint
}

/** A pool and its distribution: sum of booked + retained = pool. Visible to staff only. */
export interface SettledPool {
  readonly jobId: bigint
  readonly kind: PoolKind
  readonly method: ManualOperationMethod
  readonly poolYen: bigint
  /** The sum before the rates. */
  readonly allocatedYen: bigint
  /** The sum after the rates, rounded down for each rule. */
  readonly sharedYen: bigint
  /** What publishers get: `sharedYen`, or 0 when the job discards. */
  readonly bookedYen: bigint
  /** What the platform keeps. */
  readonly retainedYen: bigint
}

export type SettlementWarning = {
  readonly code: 'OWN_ADS_AFTER_TERMINATION'
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly ownAdsMicroYen: bigint
}

export interface SettledMonth {
  readonly mediumId: bigint
  readonly month: YearMonth
  /** By agreement id; their publishers by publisher id. */
  readonly payments: readonly SettledPayment[]
  /** By job id. */
  readonly pools: readonly SettledPool[]
  readonly warnings: readonly SettlementWarning[]
}
