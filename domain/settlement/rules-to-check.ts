import type { MonthInput, RuleVersion } from './settlement-input.ts'

/**
 * What the invariants expect of a version. Written independently of `SETTLEMENT_RULES`, so that one mistake cannot hide
 * in both.
 * Tested by `domain/payment/invariants.test.ts`.
 */
export interface RulesToCheck {
  /**
   * Whether rounding own ads may leave `rest` between the exact share and its whole yen; `one` is a yen in the same
   * unit.
   */
  readonly isOwnAdsRest: (rest: bigint, one: bigint) => boolean
  /** Whether the yen that rounding leaves of a rate go to the months with the largest fractions. */
  readonly givesYenToLargestFractions: boolean
  /** Whether every open month is paid as it is; otherwise negative months are offset first. */
  readonly paysEveryOpenMonth: boolean
  /** Whether a balance of 0 carries no months. */
  readonly dropsZeroBalance: boolean
  /** Whether a discard without a month takes from the oldest months; otherwise from the current one. */
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

/** The rules by which a month was settled, as written down a second time for the checks. */
export function rulesToCheck({ settings }: MonthInput): RulesToCheck {
  return RULES_TO_CHECK[settings.rules ?? 'offset_across_rates']
}
