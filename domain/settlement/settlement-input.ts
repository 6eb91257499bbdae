import type { AccountUse, AgreementTerms } from '../agreement/agreement-terms.ts'
import type { PoolKind, RevenueShare } from '../agreement/revenue-share.ts'
import type { TaxTable } from '../money/consumption-tax.ts'
import type { Day } from '../month/day.ts'
import type { BusinessDayShift } from '../month/due-date.ts'
import type { HolidayCalendar } from '../month/holiday-calendar.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { DeductionTable } from './deduction.ts'

/**
 * Everything one month of one medium is computed from, frozen: the same value gives the same result for ever. Rows may
 * come in any order. A new field of any part must be optional, because stored inputs lack it and their bytes are hashed.
 */
export interface MonthInput {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly settings: SettlementSettings
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
  readonly holidays: HolidayCalendar
  readonly agreements: readonly AgreementInput[]
  /** Successful pool jobs that no reset has reversed. */
  readonly poolJobs: readonly PoolJobInput[]
  /** Rows of successful csv jobs that no reset has reversed. */
  readonly adjustments: readonly AdjustmentRow[]
}

/** Versions of the rules for sharing, carrying, paying and taxing amounts, in the order in which they came. */
export const RULE_VERSIONS = ['offset_across_rates', 'returns_per_rate'] as const
export type RuleVersion = (typeof RULE_VERSIONS)[number]

export interface SettlementSettings {
  readonly payoutThresholdYen: bigint
  readonly businessDayShift: BusinessDayShift
  /** The version of the rules of the month. Absent: `offset_across_rates`, as in inputs frozen before there was a second. */
  readonly rules?: RuleVersion
}

export interface AgreementInput {
  readonly agreementId: bigint
  readonly mediumId: bigint
  readonly organizationId: bigint
  readonly partnerName: string
  readonly terms: AgreementTerms
  readonly terminatedOn: Day | null
  readonly isPaymentDisabled: boolean
  readonly accounts: readonly AccountUse[]
  readonly invoiceRegistrationNumber: string | null
  /** Months at whose last day the payee was a qualified invoice issuer, as the snapshots recorded it; the revenue month included. */
  readonly qualifiedMonths: readonly YearMonth[]
  readonly rules: readonly RuleInput[]
}

export interface RuleInput {
  readonly ruleId: bigint
  readonly mediumId: bigint
  readonly publisherId: bigint
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
  readonly share: RevenueShare
  /** The sum of the month's days, before the rate. */
  readonly ownAdsMicroYen: bigint
  /** What earlier months left unpaid, opening balances included; the sum is the amount carried over. */
  readonly carried: readonly GeneratedBucket[]
  /** The opening balances within `carried`. Absent where there are none, as in inputs frozen before there were any. */
  readonly opening?: readonly GeneratedBucket[]
}

/** An amount without tax by the month its revenue was generated in; negative for a clawback. */
export interface GeneratedBucket {
  readonly generatedMonth: YearMonth
  readonly amountYen: bigint
}

export const MANUAL_OPERATION_METHODS = ['payment', 'discard'] as const
/** `payment` books to the payees. `discard` pays nobody: a pool is only recorded, an adjustment takes from the balance. */
export type ManualOperationMethod = (typeof MANUAL_OPERATION_METHODS)[number]

export interface PoolJobInput {
  readonly jobId: bigint
  readonly kind: PoolKind
  readonly method: ManualOperationMethod
  readonly poolYen: bigint
  readonly weights: readonly PoolWeight[]
}

export interface PoolWeight {
  readonly agreementId: bigint
  readonly publisherId: bigint
  /** Article clicks, 3-second watches or live watches, or what the raw data of the job says. Not negative. */
  readonly weight: bigint
}

export const ADJUSTMENT_REASONS = ['invalid_traffic', 'correction', 'other'] as const
export type AdjustmentReason = (typeof ADJUSTMENT_REASONS)[number]

export interface AdjustmentRow {
  readonly jobId: bigint
  readonly line: number
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly method: ManualOperationMethod
  /** `payment`: negative for a clawback. `discard`: the amount to remove, not negative. */
  readonly amountYen: bigint
  readonly reason: AdjustmentReason
  /**
   * The month that this corrects. Null: the current month; for a discard, the oldest open months, except in the first
   * version of the rules.
   */
  readonly originMonth: YearMonth | null
}
