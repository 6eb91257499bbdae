import { divideTowardZero } from '../money/floor-division.ts'
import { type DiscardMonths, discardFromOldest, discardFromOrigin } from './adjustment.ts'
import { mergeBuckets, setOffBuckets } from './generated-bucket.ts'
import type { GeneratedBucket, RuleVersion, SettlementSettings } from './settlement-input.ts'
import { splitByLargestRemainder, splitEachMonth, type TaxSplit } from './tax-split.ts'

/** How a share is rounded to whole yen, and the word for it in explanations. */
export interface Rounding {
  /** A noun that also fits before する, for example 切捨て. */
  readonly word: string
  /** `dividend` may be negative, as figures are until a correction arrives; `divisor` must be positive. */
  readonly divide: (dividend: bigint, divisor: bigint) => bigint
}

/** The floor of the magnitude. Pool shares and tax are always rounded like this. */
export const ROUND_DOWN: Rounding = { word: '切捨て', divide: divideTowardZero }

/** The rules that differ between versions. */
export interface SettlementRules {
  /** Whether a month that is used in the computation is refused when it has no tax or deduction rate. */
  readonly refusesMonthsWithoutRate: boolean
  /** Whether a month without a record of the payee's qualification counts as the current month does. */
  readonly assumesQualificationOfToday: boolean
  /** Step 2 of docs/payment-rules.md, which numbers the steps below too. Rounded once per rule and month. */
  readonly ownAdsRounding: Rounding
  /** Step 8: the months from which a discard takes its amount. */
  readonly discardMonths: DiscardMonths
  /** Step 9: whether months that sum to 0 stay open. */
  readonly carriesZeroBalance: boolean
  /** Step 12: the months of which a paid balance consists. */
  readonly paidMonths: (open: Iterable<GeneratedBucket>) => readonly GeneratedBucket[]
  /** Step 13: how the tax of a rate is split over its months. */
  readonly splitTax: TaxSplit
  /** Step 15: whether the parts of a transfer are weighted by their amounts with tax. */
  readonly weighsPartsWithTax: boolean
  /** Whether input tax can be booked at the accrual; impossible where paid months are offset against each other. */
  readonly canBookTaxAtAccrual: boolean
}

/**
 * A finalised month is always settled, checked and explained by its own version. Apart from `RULES_TO_CHECK`, no other
 * code compares versions: it reads a field of these rules.
 * Tested by `domain/settlement/worked-examples.test.ts`.
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

/** The setting that names a version. The first one is not named, as in all months frozen before there was a second. */
export function ruleSettings(version: RuleVersion): Pick<SettlementSettings, 'rules'> {
  return version === 'offset_across_rates' ? {} : { rules: version }
}

/** The rules of a month. Months without a name of a version follow the first one. */
export function settlementRulesOf({
  rules = 'offset_across_rates',
}: Pick<SettlementSettings, 'rules'>): SettlementRules {
  return SETTLEMENT_RULES[rules]
}
