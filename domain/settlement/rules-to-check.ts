import type { MonthInput, RuleVersion } from './settlement-input.ts'

/** What the checks expect of a version: written apart from `SETTLEMENT_RULES`, so that a mistake in one does not hide in both. */
export interface RulesToCheck {
  /** Whether the exact share of own ads may be `rest` more than its whole yen; a yen is `one` in the same parts. */
  readonly isOwnAdsRest: (rest: bigint, one: bigint) => boolean
  /** The yen that rounding a rate leaves are with the months of the largest fractions. */
  readonly givesYenToLargestFractions: boolean
  /** Every open month is paid as it is; otherwise what negative months leave of it. */
  readonly paysEveryOpenMonth: boolean
  /** A balance of 0 carries no months. */
  readonly dropsZeroBalance: boolean
  /** A discard without a month takes from the oldest; otherwise from the running one. */
  readonly discardsFromOldest: boolean
}

const isCutOff = (rest: bigint, one: bigint) => rest >= 0n && rest < one

const RULES_TO_CHECK: Readonly<Record<RuleVersion, RulesToCheck>> = {
  offset_across_rates: {
    isOwnAdsRest: isCutOff,
    givesYenToLargestFractions: false,
    paysEveryOpenMonth: false,
    dropsZeroBalance: true,
    discardsFromOldest: false,
  },
  returns_per_rate: {
    isOwnAdsRest: isCutOff,
    givesYenToLargestFractions: true,
    paysEveryOpenMonth: true,
    dropsZeroBalance: false,
    discardsFromOldest: true,
  },
}

export function rulesToCheck({ settings }: MonthInput): RulesToCheck {
  return RULES_TO_CHECK[settings.rules ?? 'offset_across_rates']
}
