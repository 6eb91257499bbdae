import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { bookManualOperations, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { month, type Row, startWorkedExamples } from '@pc/testing/system/worked-examples-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'

/** The worked examples of the rules, entered as staff would, closed and read through the API. */
const { system, admin, close, entered, finalize, read } = await startWorkedExamples()
afterAll(() => system.close())

test('E1 plain revenue share, through the API', async () => {
  const agreements = await entered(11n, [
    sampleAgreement(1n, [
      sampleRule(101n, 0n, {
        ownAdsMicroYen: 44_567_900_022n,
        share: {
          ownAdsRateUnits: 5000,
          sspRateUnits: 4000,
          videoSspRateUnits: 3000,
          liveSspRateUnits: 2500,
          isTargetForSspAllocation: true,
          isTargetForVideoSspAllocation: true,
          isTargetForLiveSspAllocation: true,
        },
      }),
    ]),
  ])
  const weights = [{ agreementId: 11_001n, publisherId: 11_101n, weight: 7n }]
  const pool = (jobId: bigint, kind: 'ssp' | 'ssp_video' | 'ssp_live', poolYen: bigint) =>
    ({ jobId, kind, method: 'payment', poolYen, weights }) as const
  const { payments } = await close(
    month(11n, 202606, {
      agreements,
      poolJobs: [pool(1n, 'ssp', 100_001n), pool(2n, 'ssp_video', 30_001n), pool(3n, 'ssp_live', 9_999n)],
    }),
  )
  expect(payments).toMatchObject([
    {
      productAdsRevenue: 22_283,
      sspRevenue: 40_000,
      videoSSPRevenue: 9_000,
      liveSSPRevenue: 2_499,
      revenue: 73_782,
      cumulativeRevenue: 73_782,
      payment: 73_782,
      taxRate: 10,
      paymentTax: 7_378,
      paymentIncludingTax: 81_160,
      carriedOverToNext: 0,
      paymentStatus: 'scheduled',
      dueOnNominal: '2026-07-31',
      dueOn: '2026-07-31',
      scheduledMonth: '2026-07',
    },
  ])
})

test('E2 pool allocation by largest remainder', async () => {
  const ssp = (sspRateUnits: number, isTargetForSspAllocation = true) => ({
    share: { sspRateUnits, isTargetForSspAllocation },
  })
  const agreements = await entered(12n, [
    sampleAgreement(2n, [sampleRule(101n, 0n, ssp(5000)), sampleRule(102n, 0n, ssp(4550))]),
    sampleAgreement(3n, [sampleRule(103n, 0n, ssp(3333)), sampleRule(104n, 0n, ssp(5000, false))]),
  ])
  const weight = (agreementId: bigint, publisherId: bigint, value: bigint) => ({
    agreementId: agreementId + 12_000n,
    publisherId: publisherId + 12_000n,
    weight: value,
  })
  const { publishers } = await close(
    month(12n, 202606, {
      agreements,
      poolJobs: [
        {
          jobId: 1n,
          kind: 'ssp',
          method: 'payment',
          poolYen: 1_000_001n,
          weights: [
            weight(2n, 101n, 33_334n),
            weight(2n, 102n, 33_333n),
            weight(3n, 103n, 33_333n),
            weight(3n, 104n, 50_000n),
          ],
        },
      ],
    }),
  )
  expect(publishers.map(each => each.sspRevenue)).toEqual([166_670, 151_665, 111_098, 0])
})

test('E3 and E4 guarantees', async () => {
  const byAgreement = sampleAgreement(
    5n,
    [
      sampleRule(201n, 150_002n, { share: { ownAdsRateUnits: 6000 } }),
      sampleRule(202n, 100_000n, { share: { ownAdsRateUnits: 4500 } }),
    ],
    { terms: { fixedRevenueYen: 30_000n, minimumRevenueYen: 200_000n, minimumRevenueType: 'by_agreement' } },
  )
  const byPublisher = sampleAgreement(
    6n,
    [
      sampleRule(211n, 95_500n, { fixedRevenueYen: 10_000n, minimumRevenueYen: 100_000n }),
      sampleRule(212n, 24_691n, { minimumRevenueYen: 50_000n, share: { ownAdsRateUnits: 5000 } }),
    ],
    { terms: { minimumRevenueYen: 999_999n, minimumRevenueType: 'by_publisher' } },
  )
  const agreements = await entered(13n, [byAgreement, byPublisher])
  const { payments, publishers } = await close(month(13n, 202606, { agreements }))
  expect(payments).toMatchObject([
    {
      productAdsRevenue: 135_001,
      fixedRevenueApplied: 30_000,
      minimumTopUpRevenue: 34_999,
      revenue: 200_000,
      paymentTax: 20_000,
      paymentIncludingTax: 220_000,
    },
    {
      productAdsRevenue: 107_845,
      fixedRevenueApplied: 10_000,
      minimumTopUpRevenue: 37_655,
      revenue: 155_500,
      paymentTax: 15_550,
      paymentIncludingTax: 171_050,
    },
  ])
  expect(
    publishers.map(each => [each.fixedRevenueApplied, each.minimumTopUpRevenue, each.revenue, each.payment]),
  ).toEqual([
    [20_000, 23_333, 133_334, 133_334],
    [10_000, 11_666, 66_666, 66_666],
    [10_000, 0, 105_500, 105_500],
    [0, 37_655, 50_000, 50_000],
  ])
})

test('E5 carry-over below a threshold, tax rounded once', async () => {
  const [agreement] = await entered(14n, [
    sampleAgreement(7n, [sampleRule(301n, 0n)], { terms: { payoutThresholdYen: 5_000n } }),
  ])
  const rows: Row[] = []
  for (const [yearMonth, yen] of [
    [202603, 1_233n],
    [202604, 2_111n],
    [202605, 1_999n],
  ] as const) {
    const rules = agreement!.rules.map(rule => ({ ...rule, ownAdsMicroYen: yen * 1_000_000n }))
    rows.push(...(await close(month(14n, yearMonth, { agreements: [{ ...agreement!, rules }] }))).payments)
  }
  expect(rows).toMatchObject([
    {
      carriedOverRevenue: 0,
      cumulativeRevenue: 1_233,
      payment: 0,
      carriedOverToNext: 1_233,
      paymentStatus: 'carried_over',
      reason: 'BELOW_THRESHOLD',
      dueOn: '2026-04-30',
    },
    { carriedOverRevenue: 1_233, cumulativeRevenue: 3_344, payment: 0, carriedOverToNext: 3_344, dueOn: '2026-05-29' },
    {
      carriedOverRevenue: 3_344,
      cumulativeRevenue: 5_343,
      payment: 5_343,
      paymentTax: 534,
      paymentIncludingTax: 5_877,
      carriedOverToNext: 0,
      paymentStatus: 'scheduled',
      reason: null,
      scheduledMonth: '2026-06',
    },
  ])
})

test('E7 clawback, negative carry, and a reset job', async () => {
  const [agreement] = await entered(15n, [
    sampleAgreement(8n, [sampleRule(401n, 20_000n, { share: { sspRateUnits: 3000, isTargetForSspAllocation: true } })]),
  ])
  const june = await close(
    month(15n, 202606, {
      agreements: [agreement!],
      adjustments: [sampleAdjustment(15_008n, 15_401n, -35_000n, { reason: 'invalid_traffic' })],
    }),
  )
  expect(june.payments).toMatchObject([
    {
      manualAdjustmentRevenue: -35_000,
      cumulativeRevenue: -15_000,
      payment: 0,
      carriedOverToNext: -15_000,
      paymentStatus: 'carried_over',
      reason: 'NON_POSITIVE_BALANCE',
    },
  ])
  const rules = agreement!.rules.map(rule => ({ ...rule, ownAdsMicroYen: 40_000_000_000n }))
  const july = month(15n, 202607, {
    agreements: [{ ...agreement!, rules }],
    poolJobs: [
      {
        jobId: 1n,
        kind: 'ssp',
        method: 'payment',
        poolYen: 30_000n,
        weights: [{ agreementId: 15_008n, publisherId: 15_401n, weight: 1n }],
      },
    ],
  })
  const { database, stats, money } = system.dependencies
  await writeOwnAds(stats, [july], 900n)
  const { uid } = system.rows.users['insight:editor']
  await bookManualOperations({ manualOperations: money.manualOperations, userUid: uid }, july)
  await computeMonth(money.payments, { mediumId: 15n, month: 202607 as YearMonth })
  expect((await read(july)).payments).toMatchObject([
    { sspRevenue: 9_000, revenue: 49_000, payment: 34_000, paymentStatus: 'computed' },
  ])

  const editor = await system.tokenOf(system.rows.users['insight:editor'].email)
  const reset =
    'mutation { createDividend(input: { mediumId: "15", dividendMonth: "2026-07", kind: reset, dividendMethod: payment }) { id jobStatus } }'
  const refused = await system.ask('insight', reset, editor)
  expect(refused.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  const answered = await system.ask('insight', reset, admin)
  const { id } = (answered.json.data as { createDividend: { id: string } }).createDividend
  const { runManualOperation } = await import('../../manual-operations/server/run-manual-operation.ts')
  await runManualOperation(money.manualOperations, BigInt(id))
  await computeMonth(money.payments, { mediumId: 15n, month: 202607 as YearMonth })
  await finalize(july)
  expect((await read(july)).payments).toMatchObject([
    {
      sspRevenue: 0,
      revenue: 40_000,
      manualAdjustmentRevenue: 0,
      carriedOverRevenue: -15_000,
      cumulativeRevenue: 25_000,
      payment: 25_000,
      paymentTax: 2_500,
      paymentIncludingTax: 27_500,
      scheduledMonth: '2026-08',
    },
  ])
  const lines = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('dividendLedgerLines')
      .select(['amountYen'])
      .where('mediumId', '=', 15n)
      .where('month', '=', 202607)
      .orderBy('id')
      .execute(),
  )
  expect(lines.map(line => line.amountYen)).toEqual([9_000n, -9_000n])
})

test('E8 disabled, then released; two months later; bank holiday', async () => {
  const share = { ownAdsRateUnits: 5500 }
  const [agreement] = await entered(16n, [
    sampleAgreement(15n, [sampleRule(501n, 0n, { ownAdsMicroYen: 90_909_500_000n, share })], {
      terms: { paymentTiming: 'two_months_later', feePaidBy: 'publisher' },
    }),
  ])
  const september = await close(month(16n, 202609, { agreements: [{ ...agreement!, isPaymentDisabled: true }] }))
  expect(september.payments).toMatchObject([
    {
      productAdsRevenue: 50_000,
      payment: 0,
      carriedOverToNext: 50_000,
      paymentStatus: 'held',
      reason: 'PAYMENT_DISABLED',
      dueOn: '2026-11-30',
    },
  ])
  const rules = agreement!.rules.map(rule => ({ ...rule, ownAdsMicroYen: 123_457_000_000n }))
  const october = await close(month(16n, 202610, { agreements: [{ ...agreement!, isPaymentDisabled: false, rules }] }))
  expect(october.payments).toMatchObject([
    {
      productAdsRevenue: 67_901,
      carriedOverRevenue: 50_000,
      cumulativeRevenue: 117_901,
      payment: 117_901,
      paymentTax: 11_790,
      paymentIncludingTax: 129_691,
      dueOnNominal: '2026-12-31',
      dueOn: '2026-12-30',
      scheduledMonth: '2026-12',
    },
  ])
})
