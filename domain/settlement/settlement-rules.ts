import { divideTowardZero } from '../money/floor-division.ts'
import { type DiscardMonths, discardFromOldest, discardFromOrigin } from './adjustment.ts'
import { mergeBuckets, setOffBuckets } from './generated-bucket.ts'
import type { GeneratedBucket, RuleVersion, SettlementSettings } from './settlement-input.ts'
import { splitByLargestRemainder, splitEachMonth, type TaxSplit } from './tax-split.ts'

/** How a share is rounded to whole yen, and what an explanation calls it. */
export interface Rounding {
  /** As a noun and before する: 切捨て. */
  readonly word: string
  /** `dividend` may be negative: figures of reports are until they are corrected. `divisor` > 0. */
  readonly divide: (dividend: bigint, divisor: bigint) => bigint
}

/** The floor of the magnitude. Shares of pools and tax know no other rounding. */
export const ROUND_DOWN: Rounding = { word: '切捨て', divide: divideTowardZero }

/** What differs between the versions of the rules for sharing, carrying, paying and taxing amounts. */
export interface SettlementRules {
  /** Whether a month that is computed from is refused where tax or deduction has no rate. */
  readonly refusesMonthsWithoutRate: boolean
  /** Whether a month without a record of the payee's qualification counts as the running month does. */
  readonly assumesQualificationOfToday: boolean
  /** Step 2: once per rule and month. */
  readonly ownAdsRounding: Rounding
  /** Step 8: the months that a discard takes its amount from. */
  readonly discardMonths: DiscardMonths
  /** Step 9: whether months that sum to 0 stay open. */
  readonly carriesZeroBalance: boolean
  /** Step 12: the months that a paid balance consists of. */
  readonly paidMonths: (open: Iterable<GeneratedBucket>) => readonly GeneratedBucket[]
  /** Step 13. */
  readonly splitTax: TaxSplit
  /** Step 15: whether the parts of a transfer are weighted with their tax. */
  readonly weighsPartsWithTax: boolean
  /** Whether the input tax can be booked at the accrual: not where paid months are set off against each other. */
  readonly canBookTaxAtAccrual: boolean
}

/**
 * A finalised month is settled, checked and explained by its own version for ever. Only `RULES_TO_CHECK` of the invariants tells
 * versions apart too: code elsewhere reads a field of these rules and compares no version.
 */
const SETTLEMENT_RULES: Readonly<Record<RuleVersion, SettlementRules>> = {
  offset_across_rates: {
    refusesMonthsWithoutRate: false,
    assumesQualificationOfToday: true,
    ownAdsRounding: ROUND_DOWN,
    discardMonths: discardFromOrigin,
    carriesZeroBalance: false,
    paidMonths: setOffBuckets,
    splitTax: splitByLargestRemainder,
    weighsPartsWithTax: false,
    canBookTaxAtAccrual: false,
  },
  returns_per_rate: {
    refusesMonthsWithoutRate: true,
    assumesQualificationOfToday: false,
    ownAdsRounding: ROUND_DOWN,
    discardMonths: discardFromOldest,
    carriesZeroBalance: true,
    paidMonths: mergeBuckets,
    splitTax: splitEachMonth,
    weighsPartsWithTax: true,
    canBookTaxAtAccrual: true,
  },
}

/** How settings name a version: the first one has no name, as in all months frozen before there was a second. */
export function ruleSettings(version: RuleVersion): Pick<SettlementSettings, 'rules'> {
  return version === 'offset_across_rates' ? {} : { rules: version }
}

export function settlementRulesOf({
  rules = 'offset_across_rates',
}: Pick<SettlementSettings, 'rules'>): SettlementRules {
  return SETTLEMENT_RULES[rules]
}
