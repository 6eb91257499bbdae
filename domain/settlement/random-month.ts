import { FEE_PAYERS } from '../agreement/agreement-terms.ts'
import { MINIMUM_REVENUE_TYPES } from '../agreement/minimum-revenue.ts'
import { isTargetOf, POOL_KINDS } from '../agreement/revenue-share.ts'
import { STANDARD_TAX_TABLE, type TaxTable } from '../money/consumption-tax.ts'
import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import { day } from '../month/day.ts'
import { PAYMENT_TIMINGS } from '../month/due-date.ts'
import { sampleHolidayCalendar } from '../month/sample-holidays.ts'
import { addMonths, lastDayOf, monthRange, type YearMonth } from '../month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from './deduction.ts'
import {
  ADJUSTMENT_REASONS,
  type AdjustmentRow,
  type AgreementInput,
  MANUAL_OPERATION_METHODS,
  type MonthInput,
  type PoolJobInput,
  RULE_VERSIONS,
  type RuleInput,
} from './settlement-input.ts'
import type { SettledMonth } from './settlement-result.ts'

/**
 * For tests only: random months that any settlement must survive, made from a seed so that a failure can be repeated
 * here, in the database and through the API.
 */

export interface RandomSource {
  /** 0 … max − 1. */
  below(max: number): number
  /** True in so many of a hundred draws. `chance` of the fixtures of statistics takes a fraction. */
  percent(share: number): boolean
  oneOf<T>(values: readonly T[]): T
}

/** mulberry32: small, fast and the same everywhere. */
export function randomSource(seed: number): RandomSource {
  let state = seed | 0
  const below = (max: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max
  }
  return { below, percent: share => below(100) < share, oneOf: values => values[below(values.length)]! }
}

export interface RandomMonthSize {
  readonly agreements: number
  readonly rulesPerAgreement: number
  readonly poolJobs: number
  readonly adjustments: number
}

const SMALL: RandomMonthSize = { agreements: 6, rulesPerAgreement: 4, poolJobs: 4, adjustments: 6 }
const FIRST_MONTH = 202601 as YearMonth
/** Random months before this one may have the first version of the rules; from this one on, none has. */
export const RETURNS_FIRST_MONTH = 202606 as YearMonth
/** A first month may have any of these versions, and the months that follow it keep that version. */
const [, ...LATER_VERSIONS] = RULE_VERSIONS
/** The sample holidays cover due dates up to here. */
const LAST_MONTH = 202710 as YearMonth

/** A first month; follow it with {@link followingMonth}. Sizes are upper bounds unless `exact`. */
export function randomMonth(seed: number, size: RandomMonthSize = SMALL, exact = false): MonthInput {
  const random = randomSource(seed)
  const count = (max: number) => (exact ? max : random.below(max + 1))
  const month = addMonths(FIRST_MONTH, random.below(9))
  let publisherId = 100n
  const agreements = Array.from({ length: Math.max(1, count(size.agreements)) }, (_, index): AgreementInput => {
    const rules = Array.from({ length: Math.max(1, count(size.rulesPerAgreement)) }, (): RuleInput => {
      publisherId += 1n
      return randomRule(random, publisherId)
    })
    return randomAgreement(random, BigInt(index + 1), rules)
  })
  const base: MonthInput = {
    mediumId: 1n,
    month,
    settings: {
      payoutThresholdYen: BigInt(random.oneOf([1, 1, 5_000, 100_000])),
      businessDayShift: random.oneOf(['previous', 'previous', 'next'] as const),
      // Early months sometimes have the first version, so that its balances are carried into months of a later one.
      ...(month >= RETURNS_FIRST_MONTH || (seed & 3) !== 0
        ? { rules: LATER_VERSIONS[(seed >>> 2) % LATER_VERSIONS.length]! }
        : {}),
    },
    taxTable: randomTaxTable(random),
    deductionTable: STANDARD_DEDUCTION_TABLE,
    holidays: sampleHolidayCalendar(),
    agreements: withOpenings(seed, agreements),
    poolJobs: [],
    adjustments: [],
  }
  return withBookings(random, base, count(size.poolJobs), count(size.adjustments))
}

/** Months of every tax rate, and of both sides of October 2023 (qualified invoices). */
const OPENING_MONTHS = [199703, 201403, 201909, 202309, 202310, 202511, 202512] as YearMonth[]

/** Some rules begin with opening balances; a quarter of the amounts is negative, owed to the platform. */
function withOpenings(seed: number, agreements: readonly AgreementInput[]): readonly AgreementInput[] {
  const random = randomSource(~seed)
  return agreements.map(agreement => {
    if (!random.percent(30)) return agreement
    const rules = agreement.rules.map((rule): RuleInput => {
      const months = OPENING_MONTHS.filter(() => random.percent(25))
      if (months.length === 0) return rule
      const opening = months.map(generatedMonth => {
        const amount = BigInt(1 + random.below(random.oneOf([100, 40_000])))
        return { generatedMonth, amountYen: random.percent(25) ? -amount : amount }
      })
      return { ...rule, carried: opening, opening }
    })
    return { ...agreement, rules }
  })
}

/** The next month of the same agreements: new revenue and jobs, changed states, and what was carried over. */
export function followingMonth(seed: number, input: MonthInput, before: SettledMonth): MonthInput | null {
  if (input.month >= LAST_MONTH) return null
  const random = randomSource(seed)
  const month = addMonths(input.month, 1)
  const agreements = input.agreements.map((agreement): AgreementInput => {
    const settled = before.payments.find(payment => payment.agreementId === agreement.agreementId)!
    const rules = agreement.rules.map(
      ({ opening: _counted, ...rule }): RuleInput => ({
        ...rule,
        ownAdsMicroYen: randomOwnAds(random),
        carried: settled.publishers.find(publisher => publisher.publisherId === rule.publisherId)!.nextCarried,
      }),
    )
    return {
      ...agreement,
      rules,
      isPaymentDisabled: random.percent(15),
      terminatedOn: agreement.terminatedOn ?? (random.percent(8) ? lastDayOf(month) : null),
    }
  })
  const rules = month >= RETURNS_FIRST_MONTH ? { rules: input.settings.rules ?? LATER_VERSIONS[0] } : {}
  const settings = { ...input.settings, ...rules }
  const next = { ...input, month, settings, agreements, poolJobs: [], adjustments: [] }
  return withBookings(random, next, random.below(4), random.below(5))
}

function withBookings(random: RandomSource, input: MonthInput, jobs: number, adjustments: number): MonthInput {
  const keys = input.agreements.flatMap(({ agreementId, rules }) =>
    rules.map(({ publisherId }) => ({ agreementId, publisherId })),
  )
  const adjustmentRows = Array.from({ length: adjustments }, (_, index): AdjustmentRow => {
    const method = random.oneOf(MANUAL_OPERATION_METHODS)
    const amount = BigInt(random.below(80_000))
    return {
      ...random.oneOf(keys),
      jobId: BigInt(800 + random.below(3)),
      line: index + 1,
      method,
      amountYen: method === 'payment' && random.percent(50) ? -amount : amount,
      reason: random.oneOf(ADJUSTMENT_REASONS),
      originMonth: random.percent(20) ? addMonths(input.month, -random.below(4)) : null,
    }
  })
  const poolJobs = Array.from({ length: jobs }, (_, index) => randomPoolJob(random, input, BigInt(index + 1)))
  return { ...input, poolJobs: poolJobs.filter(job => job !== null), adjustments: adjustmentRows }
}

function randomPoolJob(random: RandomSource, input: MonthInput, jobId: bigint): PoolJobInput | null {
  const kind = random.oneOf(POOL_KINDS)
  const weights = input.agreements.flatMap(({ agreementId, rules }) =>
    rules
      .filter(() => random.percent(85))
      .map(({ publisherId }) => ({
        agreementId,
        publisherId,
        weight: BigInt(random.percent(10) ? 0 : random.below(random.oneOf([3, 50, 1_000_000]))),
      })),
  )
  const weightOf = new Map(weights.map(weight => [weight.publisherId, weight.weight]))
  const isEligible = input.agreements.some(
    agreement =>
      agreement.terminatedOn === null &&
      agreement.rules.some(rule => isTargetOf(rule.share, kind) && (weightOf.get(rule.publisherId) ?? 0n) > 0n),
  )
  // A pool without a target is refused, which other tests cover.
  if (!isEligible) return null
  const poolYen = BigInt(random.below(random.oneOf([10, 1_000, 1_000_000])))
  return { jobId, kind, method: random.percent(80) ? 'payment' : 'discard', poolYen, weights }
}

function randomAgreement(random: RandomSource, agreementId: bigint, rules: readonly RuleInput[]): AgreementInput {
  const hasNumber = random.percent(70)
  const months = monthRange(addMonths(FIRST_MONTH, -6), LAST_MONTH)
  return {
    agreementId,
    mediumId: 1n,
    organizationId: BigInt(1 + random.below(3)),
    partnerName: `取引先${agreementId}`,
    terms: {
      feePaidBy: random.oneOf(FEE_PAYERS),
      paymentTiming: random.oneOf(PAYMENT_TIMINGS),
      minimumRevenueType: random.oneOf(MINIMUM_REVENUE_TYPES),
      fixedRevenueYen: BigInt(random.percent(60) ? 0 : random.below(50_000)),
      minimumRevenueYen: BigInt(random.percent(40) ? 0 : random.below(300_000)),
      payoutThresholdYen: random.percent(20) ? BigInt(random.below(50_000)) : null,
    },
    terminatedOn: random.percent(8) ? day('2026-03-15') : null,
    isPaymentDisabled: random.percent(10),
    accounts: random.percent(12)
      ? []
      : [
          { bankAccountId: agreementId * 10n, usedFromMonth: 202012 as YearMonth },
          ...(random.percent(30)
            ? [{ bankAccountId: agreementId * 10n + 1n, usedFromMonth: 202606 as YearMonth }]
            : []),
        ],
    invoiceRegistrationNumber: hasNumber ? 'T7123456789012' : null,
    qualifiedMonths: hasNumber ? months.filter(() => random.percent(85)) : [],
    rules,
  }
}

function randomRule(random: RandomSource, publisherId: bigint): RuleInput {
  const rate = () => (random.percent(10) ? random.oneOf([0, 10_000]) : random.below(10_001))
  return {
    ruleId: publisherId + 5000n,
    mediumId: 1n,
    publisherId,
    fixedRevenueYen: BigInt(random.percent(60) ? 0 : random.below(20_000)),
    minimumRevenueYen: BigInt(random.percent(40) ? 0 : random.below(100_000)),
    share: {
      ownAdsRateUnits: rate(),
      sspRateUnits: rate(),
      videoSspRateUnits: rate(),
      liveSspRateUnits: rate(),
      isTargetForSspAllocation: random.percent(70),
      isTargetForVideoSspAllocation: random.percent(50),
      isTargetForLiveSspAllocation: random.percent(40),
    },
    ownAdsMicroYen: randomOwnAds(random),
    carried: [],
  }
}

/** Up to about 200,000 yen, with every micro-yen digit in use. */
function randomOwnAds(random: RandomSource): bigint {
  return random.percent(12) ? 0n : BigInt(random.below(200_000)) * MICRO_YEN_PER_YEN + BigInt(random.below(1_000_000))
}

/** Mostly the real table; sometimes a rate that changes in the months at hand, to mix rates in one balance. */
function randomTaxTable(random: RandomSource): TaxTable {
  if (!random.percent(30)) return STANDARD_TAX_TABLE
  return [...STANDARD_TAX_TABLE, { validFromMonth: addMonths(FIRST_MONTH, random.below(12)), ratePercent: 8 }]
}
