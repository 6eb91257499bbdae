import { topUpYen } from '../agreement/minimum-revenue.ts'
import { allocateOrEqually, compareBigints } from '../money/allocate.ts'
import { sumBy } from '../money/yen.ts'
import { shareYen } from './own-ads.ts'
import type { AgreementInput, RuleInput } from './settlement-input.ts'
import type { PoolShare, RevenueParts } from './settlement-result.ts'
import type { Rounding, SettlementRules } from './settlement-rules.ts'

/**
 * A rule's revenue of the month with its parts. `…OfRule`: by the rule's own terms; `…OfAgreement`: its part of the
 * agreement's amount.
 */
export interface RuleRevenue extends RevenueParts {
  readonly rule: RuleInput
  readonly poolShares: readonly PoolShare[]
  readonly fixedOfRuleYen: bigint
  readonly fixedOfAgreementYen: bigint
  readonly topUpOfRuleYen: bigint
  readonly topUpOfAgreementYen: bigint
  readonly revenueYen: bigint
}

export interface AgreementRevenue {
  readonly agreementFixedYen: bigint
  readonly agreementTopUpYen: bigint
  readonly rules: readonly RuleRevenue[]
}

interface RuleBase {
  readonly rule: RuleInput
  readonly poolShares: readonly PoolShare[]
  readonly adsRevenueYen: bigint
  readonly sspRevenueYen: bigint
  readonly videoSspRevenueYen: bigint
  readonly liveSspRevenueYen: bigint
  readonly fixedOfRuleYen: bigint
  readonly topUpOfRuleYen: bigint
  /** The rule's own amounts: shares + fixed amount + top-up. The agreement's amounts are split by this weight. */
  readonly baseYen: bigint
}

/**
 * What one agreement earns in the month: by its rules, by its fixed amount, and by the top-up to its minimum. An agreement
 * that has ended (`isActive` false) earns nothing; its pool shares are empty already, because it is no candidate of pools.
 * Tested by `domain/settlement/worked-examples.test.ts`.
 */
export function agreementRevenue(
  agreement: AgreementInput,
  isActive: boolean,
  poolSharesOf: (rule: RuleInput) => readonly PoolShare[],
  { ownAdsRounding }: Pick<SettlementRules, 'ownAdsRounding'>,
): AgreementRevenue {
  const bases = agreement.rules.map(rule => ruleBase(agreement, rule, isActive, poolSharesOf(rule), ownAdsRounding))
  const agreementFixedYen = isActive ? agreement.terms.fixedRevenueYen : 0n
  const agreementTopUpYen =
    isActive && agreement.terms.minimumRevenueType === 'by_agreement'
      ? topUpYen(agreement.terms.minimumRevenueYen, sumBy(bases, base => base.baseYen) + agreementFixedYen)
      : 0n
  const fixedParts = splitOverRules(agreementFixedYen, bases)
  const topUpParts = splitOverRules(agreementTopUpYen, bases)
  const rules = bases.map((base, index) => ruleRevenue(base, fixedParts[index]!, topUpParts[index]!))
  return { agreementFixedYen, agreementTopUpYen, rules }
}

/** The rule's own amounts: shares, pools, fixed amount and minimum. Its part of the agreement's amounts comes later. */
function ruleBase(
  agreement: AgreementInput,
  rule: RuleInput,
  isActive: boolean,
  poolShares: readonly PoolShare[],
  ownAdsRounding: Rounding,
): RuleBase {
  const bookedOf = (kind: PoolShare['kind']) => sumBy(poolShares, share => (share.kind === kind ? share.bookedYen : 0n))
  const adsRevenueYen = isActive ? shareYen(rule.ownAdsMicroYen, rule.share.ownAdsRateUnits, ownAdsRounding) : 0n
  const sspRevenueYen = bookedOf('ssp')
  const videoSspRevenueYen = bookedOf('ssp_video')
  const liveSspRevenueYen = bookedOf('ssp_live')
  const variableYen = adsRevenueYen + sspRevenueYen + videoSspRevenueYen + liveSspRevenueYen
  const fixedOfRuleYen = isActive ? rule.fixedRevenueYen : 0n
  const topUpOfRuleYen =
    isActive && agreement.terms.minimumRevenueType === 'by_publisher'
      ? topUpYen(rule.minimumRevenueYen, variableYen + fixedOfRuleYen)
      : 0n
  return {
    rule,
    poolShares,
    adsRevenueYen,
    sspRevenueYen,
    videoSspRevenueYen,
    liveSspRevenueYen,
    fixedOfRuleYen,
    topUpOfRuleYen,
    baseYen: variableYen + fixedOfRuleYen + topUpOfRuleYen,
  }
}

/** Step 6 of docs/payment-rules.md: an agreement's amount split over its rules by `baseYen`; all zero counts as equal. */
function splitOverRules(amountYen: bigint, bases: readonly RuleBase[]): readonly bigint[] {
  if (amountYen === 0n) return bases.map(() => 0n)
  const claims = bases.map(base => ({ id: base.rule.publisherId, weight: base.baseYen }))
  return allocateOrEqually(amountYen, claims, compareBigints).map(portion => portion.amountYen)
}

/** Step 7 of docs/payment-rules.md: the rule's own revenue with its parts of the agreement's amounts. */
function ruleRevenue(base: RuleBase, fixedOfAgreementYen: bigint, topUpOfAgreementYen: bigint): RuleRevenue {
  const { baseYen, ...parts } = base
  return {
    ...parts,
    fixedOfAgreementYen,
    topUpOfAgreementYen,
    fixedRevenueAppliedYen: base.fixedOfRuleYen + fixedOfAgreementYen,
    minimumTopUpRevenueYen: base.topUpOfRuleYen + topUpOfAgreementYen,
    revenueYen: baseYen + fixedOfAgreementYen + topUpOfAgreementYen,
  }
}
