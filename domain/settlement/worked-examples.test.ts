import { describe, expect, test } from 'vitest'
import type { AgreementTerms } from '../agreement/agreement-terms.ts'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { agreementRevenue } from './agreement-revenue.ts'
import { ownAdsOfMonth, shareYen } from './own-ads.ts'
import {
  carriedInto,
  paymentOf,
  publisherOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from './sample-month.ts'
import { settleMonth } from './settle-month.ts'
import type { MonthInput, PoolJobInput } from './settlement-input.ts'
import { settlementViolations } from './settlement-invariants.ts'
import { ROUND_DOWN } from './settlement-rules.ts'

/** Worked examples of the rules; every figure below was computed by hand. */

function poolJob(jobId: bigint, kind: PoolJobInput['kind'], poolYen: bigint, ...weights: [bigint, bigint, bigint][]) {
  return {
    jobId,
    kind,
    method: 'payment' as const,
    poolYen,
    weights: weights.map(([agreementId, publisherId, weight]) => ({ agreementId, publisherId, weight })),
  }
}

describe('E1 plain revenue share', () => {
  const days = [12_345_678_901n, 23_456_789_012n, 8_765_432_109n].map((amountMicroYen, index) => ({
    day: day(`2026-06-0${index + 1}`),
    amountMicroYen,
  }))
  const rule = sampleRule(101n, 0n, {
    ownAdsMicroYen: ownAdsOfMonth(days),
    share: {
      ownAdsRateUnits: 5000,
      sspRateUnits: 4000,
      videoSspRateUnits: 3000,
      liveSspRateUnits: 2500,
      isTargetForSspAllocation: true,
      isTargetForVideoSspAllocation: true,
      isTargetForLiveSspAllocation: true,
    },
  })
  const month = settled(
    sampleMonth(202606, {
      agreements: [sampleAgreement(1n, [rule])],
      poolJobs: [
        poolJob(1n, 'ssp', 100_001n, [1n, 101n, 7n]),
        poolJob(2n, 'ssp_video', 30_001n, [1n, 101n, 3n]),
        poolJob(3n, 'ssp_live', 9_999n, [1n, 101n, 1n]),
      ],
    }),
  )

  test('one floor per rule and month', () => {
    expect(ownAdsOfMonth(days)).toBe(44_567_900_022n)
    expect(sumBy(days, each => shareYen(each.amountMicroYen, 5000, ROUND_DOWN))).toBe(22_282n)
  })
  test('rounded as the rules of the month say', () => {
    const ownAdsRounding = { word: '切上げ', divide: (dividend: bigint, divisor: bigint) => dividend / divisor + 1n }
    const earned = agreementRevenue(sampleAgreement(1n, [rule]), true, () => [], { ownAdsRounding })
    expect(earned.rules.map(each => each.adsRevenueYen)).toEqual([22_284n])
  })
  test('the row', () => {
    expect(paymentOf(month, 1n)).toMatchObject({
      adsRevenueYen: 22_283n,
      sspRevenueYen: 40_000n,
      videoSspRevenueYen: 9_000n,
      liveSspRevenueYen: 2_499n,
      revenueYen: 73_782n,
      cumulativeRevenueYen: 73_782n,
      paymentYen: 73_782n,
      taxRatePercent: 10,
      paymentTaxYen: 7_378n,
      paymentIncludingTaxYen: 81_160n,
      carriedOverToNextYen: 0n,
      outcome: 'scheduled',
      reason: null,
      dueOnNominal: '2026-07-31',
      dueOn: '2026-07-31',
      paidAtMonth: 202607,
      bankAccountId: 9001n,
    })
  })
  test('what the platform retains', () => {
    expect(month.pools.map(pool => [pool.allocatedYen, pool.sharedYen, pool.retainedYen])).toEqual([
      [100_001n, 40_000n, 60_001n],
      [30_001n, 9_000n, 21_001n],
      [9_999n, 2_499n, 7_500n],
    ])
  })
})

describe('E2 pool allocation', () => {
  const ssp = (sspRateUnits: number, isTargetForSspAllocation = true) => ({
    share: { sspRateUnits, isTargetForSspAllocation },
  })
  const agreements = [
    sampleAgreement(2n, [sampleRule(101n, 0n, ssp(5000)), sampleRule(102n, 0n, ssp(4550))]),
    sampleAgreement(3n, [sampleRule(103n, 0n, ssp(3333)), sampleRule(104n, 0n, ssp(5000, false))]),
  ]
  test('largest remainder over the targets', () => {
    const month = settled(
      sampleMonth(202606, {
        agreements,
        poolJobs: [
          poolJob(
            1n,
            'ssp',
            1_000_001n,
            [2n, 101n, 33_334n],
            [2n, 102n, 33_333n],
            [3n, 103n, 33_333n],
            [3n, 104n, 50_000n],
          ),
        ],
      }),
    )
    const sharesOf = (agreementId: bigint, publisherId: bigint) =>
      publisherOf(paymentOf(month, agreementId), publisherId).poolShares.map(each => [each.allocatedYen, each.shareYen])
    expect(sharesOf(2n, 101n)).toEqual([[333_341n, 166_670n]])
    expect(sharesOf(2n, 102n)).toEqual([[333_330n, 151_665n]])
    expect(sharesOf(3n, 103n)).toEqual([[333_330n, 111_098n]])
    expect(sharesOf(3n, 104n)).toEqual([])
    expect(month.pools).toMatchObject([{ allocatedYen: 1_000_001n, bookedYen: 429_433n, retainedYen: 570_568n }])
  })
  test('a tie goes to the smallest publisher', () => {
    const whole = agreements.map(agreement => ({
      ...agreement,
      rules: agreement.rules.map(rule => ({ ...rule, share: { ...rule.share, sspRateUnits: 10_000 } })),
    }))
    const month = settled(
      sampleMonth(202606, {
        agreements: whole.toReversed(),
        poolJobs: [poolJob(1n, 'ssp', 100n, [3n, 103n, 1n], [2n, 102n, 1n], [2n, 101n, 1n])],
      }),
    )
    expect(month.payments.flatMap(payment => payment.publishers.map(each => each.sspRevenueYen))).toEqual([
      34n,
      33n,
      33n,
      0n,
    ])
    expect(month.pools[0]!.retainedYen).toBe(0n)
  })
  test('a pool that nobody is a target of books nothing', () => {
    const result = settleMonth(
      sampleMonth(202606, { agreements, poolJobs: [poolJob(4n, 'ssp_live', 500n, [2n, 101n, 9n])] }),
    )
    expect(result).toMatchObject({
      ok: false,
      refusals: [{ code: 'payment/pool-without-target', data: { jobId: '4' } }],
    })
  })
})

test('E3 guarantee by agreement, split down', () => {
  const terms: Partial<AgreementTerms> = {
    fixedRevenueYen: 30_000n,
    minimumRevenueYen: 200_000n,
    minimumRevenueType: 'by_agreement',
  }
  const rules = [
    sampleRule(201n, 150_002n, { share: { ownAdsRateUnits: 6000 } }),
    sampleRule(202n, 100_000n, { share: { ownAdsRateUnits: 4500 } }),
  ]
  const payment = paymentOf(settled(sampleMonth(202606, { agreements: [sampleAgreement(5n, rules, { terms })] })), 5n)
  expect(
    payment.publishers.map(each => [
      each.adsRevenueYen,
      each.fixedOfAgreementYen,
      each.topUpOfAgreementYen,
      each.revenueYen,
      each.paymentYen,
    ]),
  ).toEqual([
    [90_001n, 20_000n, 23_333n, 133_334n, 133_334n],
    [45_000n, 10_000n, 11_666n, 66_666n, 66_666n],
  ])
  expect(payment).toMatchObject({
    adsRevenueYen: 135_001n,
    fixedRevenueAppliedYen: 30_000n,
    minimumTopUpRevenueYen: 34_999n,
    revenueYen: 200_000n,
    cumulativeRevenueYen: 200_000n,
    paymentYen: 200_000n,
    paymentTaxYen: 20_000n,
    paymentIncludingTaxYen: 220_000n,
    carriedOverToNextYen: 0n,
    outcome: 'scheduled',
    dueOn: '2026-07-31',
    paidAtMonth: 202607,
  })
})

test('E4 guarantee by publisher', () => {
  const terms: Partial<AgreementTerms> = { minimumRevenueYen: 999_999n, minimumRevenueType: 'by_publisher' }
  const rules = [
    sampleRule(211n, 95_500n, { fixedRevenueYen: 10_000n, minimumRevenueYen: 100_000n }),
    sampleRule(212n, 24_691n, { minimumRevenueYen: 50_000n, share: { ownAdsRateUnits: 5000 } }),
  ]
  const payment = paymentOf(settled(sampleMonth(202606, { agreements: [sampleAgreement(6n, rules, { terms })] })), 6n)
  expect(
    payment.publishers.map(each => [each.adsRevenueYen, each.fixedOfRuleYen, each.topUpOfRuleYen, each.revenueYen]),
  ).toEqual([
    [95_500n, 10_000n, 0n, 105_500n],
    [12_345n, 0n, 37_655n, 50_000n],
  ])
  expect(payment).toMatchObject({
    adsRevenueYen: 107_845n,
    fixedRevenueAppliedYen: 10_000n,
    minimumTopUpRevenueYen: 37_655n,
    revenueYen: 155_500n,
    paymentTaxYen: 15_550n,
    paymentIncludingTaxYen: 171_050n,
    outcome: 'scheduled',
  })
})

test('E5 carry-over below the threshold, tax rounded once', () => {
  const terms: Partial<AgreementTerms> = { payoutThresholdYen: 5_000n }
  const months: [number, bigint][] = [
    [202603, 1_233n],
    [202604, 2_111n],
    [202605, 1_999n],
  ]
  let rules = [sampleRule(301n, 0n)]
  const rows = months.map(([month, yen]) => {
    rules = rules.map(rule => ({ ...rule, ownAdsMicroYen: yen * 1_000_000n }))
    const payment = paymentOf(settled(sampleMonth(month, { agreements: [sampleAgreement(7n, rules, { terms })] })), 7n)
    rules = [...carriedInto(rules, payment)]
    return payment
  })
  const below = { code: 'BELOW_THRESHOLD', thresholdYen: 5_000n }
  expect(rows).toMatchObject([
    {
      revenueYen: 1_233n,
      carriedOverRevenueYen: 0n,
      cumulativeRevenueYen: 1_233n,
      paymentYen: 0n,
      paymentTaxYen: 0n,
      paymentIncludingTaxYen: 0n,
      carriedOverToNextYen: 1_233n,
      outcome: 'carried_over',
      reason: below,
      dueOnNominal: '2026-04-30',
      dueOn: '2026-04-30',
      paidAtMonth: null,
      taxRatePercent: 10,
    },
    {
      revenueYen: 2_111n,
      carriedOverRevenueYen: 1_233n,
      cumulativeRevenueYen: 3_344n,
      paymentYen: 0n,
      carriedOverToNextYen: 3_344n,
      outcome: 'carried_over',
      reason: below,
      dueOnNominal: '2026-05-31',
      dueOn: '2026-05-29',
      paidAtMonth: null,
    },
    {
      revenueYen: 1_999n,
      carriedOverRevenueYen: 3_344n,
      cumulativeRevenueYen: 5_343n,
      paymentYen: 5_343n,
      paymentTaxYen: 534n,
      paymentIncludingTaxYen: 5_877n,
      carriedOverToNextYen: 0n,
      outcome: 'scheduled',
      reason: null,
      dueOn: '2026-06-30',
      paidAtMonth: 202606,
    },
  ])
  expect(rows[2]!.paidBuckets.map(bucket => [bucket.generatedMonth, bucket.amountYen])).toEqual([
    [202603, 1_233n],
    [202604, 2_111n],
    [202605, 1_999n],
  ])
})

test('E7 clawback, negative carry and a reset job', () => {
  const juneRules = [sampleRule(401n, 20_000n, { share: { sspRateUnits: 3000, isTargetForSspAllocation: true } })]
  const june = paymentOf(
    settled(
      sampleMonth(202606, {
        agreements: [sampleAgreement(8n, juneRules)],
        adjustments: [sampleAdjustment(8n, 401n, -35_000n, { reason: 'invalid_traffic' })],
      }),
    ),
    8n,
  )
  expect(june).toMatchObject({
    adsRevenueYen: 20_000n,
    manualAdjustmentRevenueYen: -35_000n,
    carriedOverRevenueYen: 0n,
    cumulativeRevenueYen: -15_000n,
    paymentYen: 0n,
    carriedOverToNextYen: -15_000n,
    outcome: 'carried_over',
    reason: { code: 'NON_POSITIVE_BALANCE' },
    dueOn: '2026-07-31',
    paidAtMonth: null,
  })

  const julyRules = carriedInto(juneRules, june).map(rule => ({ ...rule, ownAdsMicroYen: 40_000_000_000n }))
  const july = sampleMonth(202607, { agreements: [sampleAgreement(8n, julyRules)] })
  const draft = paymentOf(settled({ ...july, poolJobs: [poolJob(1n, 'ssp', 30_000n, [8n, 401n, 1n])] }), 8n)
  expect(draft).toMatchObject({ sspRevenueYen: 9_000n, revenueYen: 49_000n, paymentYen: 34_000n })

  const afterReset = paymentOf(settled(july), 8n)
  expect(afterReset).toMatchObject({
    adsRevenueYen: 40_000n,
    revenueYen: 40_000n,
    manualAdjustmentRevenueYen: 0n,
    carriedOverRevenueYen: -15_000n,
    cumulativeRevenueYen: 25_000n,
    paymentYen: 25_000n,
    paymentTaxYen: 2_500n,
    paymentIncludingTaxYen: 27_500n,
    carriedOverToNextYen: 0n,
    outcome: 'scheduled',
    dueOn: '2026-08-31',
    paidAtMonth: 202608,
  })
  expect(afterReset.paidBuckets).toMatchObject([
    { generatedMonth: 202606, amountYen: -15_000n, taxYen: -1_500n },
    { generatedMonth: 202607, amountYen: 40_000n, taxYen: 4_000n },
  ])
})

test('E8 payment disabled, then released; two months later; bank holiday', () => {
  const terms: Partial<AgreementTerms> = { paymentTiming: 'two_months_later', feePaidBy: 'publisher' }
  const share = { ownAdsRateUnits: 5500 }
  const september = [sampleRule(501n, 0n, { ownAdsMicroYen: 90_909_500_000n, share })]
  const held = paymentOf(
    settled(sampleMonth(202609, { agreements: [sampleAgreement(15n, september, { terms, isPaymentDisabled: true })] })),
    15n,
  )
  expect(held).toMatchObject({
    adsRevenueYen: 50_000n,
    cumulativeRevenueYen: 50_000n,
    paymentYen: 0n,
    carriedOverToNextYen: 50_000n,
    outcome: 'held',
    reason: { code: 'PAYMENT_DISABLED' },
    dueOnNominal: '2026-11-30',
    dueOn: '2026-11-30',
    paidAtMonth: null,
  })

  const october = carriedInto(september, held).map(rule => ({ ...rule, ownAdsMicroYen: 123_457_000_000n }))
  const paid = paymentOf(settled(sampleMonth(202610, { agreements: [sampleAgreement(15n, october, { terms })] })), 15n)
  expect(paid).toMatchObject({
    adsRevenueYen: 67_901n,
    carriedOverRevenueYen: 50_000n,
    cumulativeRevenueYen: 117_901n,
    paymentYen: 117_901n,
    paymentTaxYen: 11_790n,
    paymentIncludingTaxYen: 129_691n,
    carriedOverToNextYen: 0n,
    outcome: 'scheduled',
    dueOnNominal: '2026-12-31',
    dueOn: '2026-12-30',
    paidAtMonth: 202612,
  })
})

describe('E13 returns across rates and deduction periods', () => {
  const month = (value: number) => value as YearMonth
  const october = (
    earnedYen: bigint,
    carried: readonly (readonly [number, bigint])[],
    clawbacks: readonly (readonly [number | null, bigint])[] = [],
    settings: Partial<MonthInput['settings']> = {},
  ) => {
    const buckets = carried.map(([generatedMonth, amountYen]) => ({ generatedMonth: month(generatedMonth), amountYen }))
    const input = sampleMonth(202610, {
      agreements: [sampleAgreement(9n, [sampleRule(901n, earnedYen, { carried: buckets })])],
      adjustments: clawbacks.map(([originMonth, amountYen], index) =>
        sampleAdjustment(9n, 901n, amountYen, { line: index + 1, originMonth: originMonth as YearMonth | null }),
      ),
    })
    return paymentOf(settled({ ...input, settings: { ...input.settings, ...settings } }), 9n)
  }
  const splitOf = (payment: ReturnType<typeof october>) =>
    payment.paidBuckets.map(each => [each.generatedMonth, each.amountYen, each.taxYen, each.deductibleTaxYen])

  test('signed groups per rate, each month given back at its own deduction rate', () => {
    const payment = october(100_000n, [[201909, 20_000n]], [[202608, -25_000n]])
    expect(payment.taxLines).toEqual([
      { ratePercent: 10, amountYen: 75_000n, taxYen: 7_500n },
      { ratePercent: 8, amountYen: 20_000n, taxYen: 1_600n },
    ])
    expect(splitOf(payment)).toEqual([
      [201909, 20_000n, 1_600n, 1_600n],
      [202608, -25_000n, -2_500n, -2_000n],
      [202610, 100_000n, 10_000n, 7_000n],
    ])
    expect(payment).toMatchObject({ paymentYen: 95_000n, paymentTaxYen: 9_100n, paymentIncludingTaxYen: 104_100n })
    expect(sumBy(payment.paidBuckets, each => each.deductibleTaxYen)).toBe(6_600n)
    expect(sumBy(payment.paidBuckets, each => each.nonDeductibleTaxYen)).toBe(2_500n)
  })

  test('an unregistered payee: 100,000 of October less 25,000 of August deducts 5,000', () => {
    const payment = october(100_000n, [], [[202608, -25_000n]])
    expect(sumBy(payment.paidBuckets, each => each.deductibleTaxYen)).toBe(5_000n)
    // Under the earlier rules, August was offset against October.
    const before = october(100_000n, [], [[202608, -25_000n]], { rules: 'offset_across_rates' })
    expect(splitOf(before)).toEqual([[202610, 75_000n, 7_500n, 5_250n]])
  })

  test('a balance that is not positive is carried even where its total would be; so is a total that is not positive', () => {
    const negative = october(1_000n, [[201909, -1_015n]])
    expect(negative).toMatchObject({ outcome: 'carried_over', reason: { code: 'NON_POSITIVE_BALANCE' } })
    const total = october(0n, [[201909, 1_000n]], [[null, -990n]])
    expect(total).toMatchObject({
      ...{ outcome: 'carried_over', reason: { code: 'NON_POSITIVE_TOTAL' }, cumulativeRevenueYen: 10n },
      ...{ paymentYen: 0n, paymentTaxYen: 0n, paymentIncludingTaxYen: 0n, taxLines: [], paidBuckets: [] },
      ...{ carriedOverToNextYen: 10n, bankAccountId: null, paidAtMonth: null },
    })
    expect(total.publishers[0]!.nextCarried).toEqual([
      { generatedMonth: 201909, amountYen: 1_000n },
      { generatedMonth: 202610, amountYen: -990n },
    ])
    // 18 + 80 − 98 = 0 is carried, 19 + 80 − 98 = 1 is paid.
    expect(october(0n, [[201909, 1_000n]], [[null, -982n]]).reason).toEqual({ code: 'NON_POSITIVE_TOTAL' })
    expect(october(0n, [[201909, 1_000n]], [[null, -981n]])).toMatchObject({ paymentIncludingTaxYen: 1n })
  })

  test('a balance of 0 keeps its months, which are paid with the next one', () => {
    const zero = october(1_000n, [[201909, -1_000n]])
    expect(zero).toMatchObject({ cumulativeRevenueYen: 0n, outcome: 'carried_over' })
    const next = carriedInto([sampleRule(901n, 500n)], zero)
    const payment = paymentOf(settled(sampleMonth(202611, { agreements: [sampleAgreement(9n, next)] })), 9n)
    expect(payment.taxLines).toEqual([
      { ratePercent: 10, amountYen: 1_500n, taxYen: 150n },
      { ratePercent: 8, amountYen: -1_000n, taxYen: -80n },
    ])
    const before = october(1_000n, [[201909, -1_000n]], [], { rules: 'offset_across_rates' })
    expect(before.publishers[0]!.nextCarried).toEqual([])
  })

  test('tax may be negative while the total is positive: the publishers give it back', () => {
    const carried = (amountYen: bigint) => [{ generatedMonth: month(201909), amountYen }]
    const rules = [sampleRule(901n, 0n, { carried: carried(1_000n) }), sampleRule(902n, 0n, { carried: carried(500n) })]
    const adjustments = [sampleAdjustment(9n, 902n, -1_300n)]
    const input = sampleMonth(202610, { agreements: [sampleAgreement(9n, rules)], adjustments })
    const payment = paymentOf(settled(input), 9n)
    // 8 % of 1,500 is 120, 10 % of −1,300 is −130.
    expect(payment).toMatchObject({ paymentYen: 200n, paymentTaxYen: -10n, paymentIncludingTaxYen: 190n })
    expect(payment.publishers.map(each => [each.paymentYen, each.referenceTaxYen])).toEqual([
      [1_000n, -10n],
      [-800n, 0n],
    ])
    expect(settlementViolations(settled(input), input, null)).toEqual([])
  })
})
