import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_SHARE } from '../agreement/revenue-share.ts'
import { sumBy } from '../money/yen.ts'
import { yearMonth } from '../month/year-month.ts'
import { type MonthAmount, type MonthPart, monthChange } from './month-change.ts'

const months = { before: yearMonth(2026, 9), now: yearMonth(2026, 10) }
const yen = fc.bigInt({ min: 0n, max: 10_000_000n })
const rates = fc.integer({ min: 0, max: 10_000 })
const CREATED = { jobId: 1n, method: 'payment', weight: 1n, quotaYen: 0n, extraYen: 0n } as const

/** What a month makes of a publisher: revenue, balance, and all or nothing of it paid. */
const parts = fc
  .record({
    ...{ ownAdsMicroYen: fc.bigInt({ min: 0n, max: 10n ** 13n }), ownAdsRateUnits: rates, sspRateUnits: rates },
    ...{
      allocatedYen: yen,
      video: yen,
      live: yen,
      fixed: yen,
      topUp: yen,
      manual: fc.bigInt({ min: -5_000n, max: 5_000n }),
    },
    ...{ carried: yen, isPaid: fc.boolean() },
  })
  .map(({ ownAdsMicroYen, ownAdsRateUnits, sspRateUnits, allocatedYen, ...given }): Omit<MonthPart, 'publisherId'> => {
    const adsRevenueYen = (ownAdsMicroYen * BigInt(ownAdsRateUnits)) / 10_000_000_000n
    const sspRevenueYen = (allocatedYen * BigInt(sspRateUnits)) / 10_000n
    const revenueYen = adsRevenueYen + sspRevenueYen + given.video + given.live + given.fixed + given.topUp
    const cumulativeRevenueYen = given.carried + revenueYen + given.manual
    return {
      ...{ adsRevenueYen, sspRevenueYen, videoSspRevenueYen: given.video, liveSspRevenueYen: given.live },
      ...{ fixedRevenueAppliedYen: given.fixed, minimumTopUpRevenueYen: given.topUp, revenueYen, ownAdsMicroYen },
      ...{ manualAdjustmentRevenueYen: given.manual, carriedOverRevenueYen: given.carried, cumulativeRevenueYen },
      paymentYen: given.isPaid ? cumulativeRevenueYen : 0n,
      carriedOverToNextYen: given.isPaid ? 0n : cumulativeRevenueYen,
      share: { ...NO_SHARE, ownAdsRateUnits, sspRateUnits },
      poolShares: [
        {
          ...{ ...CREATED, kind: 'ssp', allocatedYen, rateUnits: sspRateUnits },
          ...{ shareYen: sspRevenueYen, bookedYen: sspRevenueYen },
        },
      ],
    }
  })
const amounts: fc.Arbitrary<MonthAmount> = fc
  .record({ parts: fc.dictionary(fc.constantFrom('1', '2', '3'), parts), taxYen: fc.option(yen, { nil: undefined }) })
  .map(({ parts, taxYen }) => ({
    taxYen,
    parts: Object.entries(parts).map(([id, part]) => ({ ...part, publisherId: BigInt(id) })),
  }))
const changeOf = (before: MonthAmount, now: MonthAmount, isSplit = true) =>
  monthChange({
    ...{ months, before, now, nameOf: id => `社${id}` },
    splits: { ownAds: isSplit, pools: isSplit },
  })
const paid = ({ parts, taxYen }: MonthAmount) => sumBy(parts, part => part.paymentYen) + (taxYen ?? 0n)

test('steps sum to the difference in whole yen, and lines to their step, with and without rates', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.boolean(), (before, now, isSplit) => {
      const { steps } = changeOf(before, now, isSplit)
      expect(steps[0]!.levelYen).toBe(paid(before))
      expect(steps.at(-1)!.levelYen).toBe(paid(now))
      expect(steps.at(-2)!.levelYen).toBe(paid(now))
      expect(sumBy(steps.slice(1, -1), step => step.amountYen)).toBe(paid(now) - paid(before))
      for (const { lines, amountYen } of steps)
        if (lines.length > 0) expect(sumBy(lines, line => line.amountYen)).toBe(amountYen)
      if (!isSplit) expect(steps.map(({ name }) => name)).not.toContain('rates')
    }),
    { numRuns: 500 },
  )
})

test('turned around, every step but the names changes its sign', () => {
  fc.assert(
    fc.property(amounts, amounts, (before, now) => {
      const stepsOf = (a: MonthAmount, b: MonthAmount) =>
        new Map(
          changeOf(a, b)
            .steps.slice(1, -1)
            .map(({ name, amountYen }) => [name, amountYen]),
        )
      const [there, back] = [stepsOf(before, now), stepsOf(now, before)]
      // A rate's share is rounded to the nearest yen, a half upwards: one yen of each publisher and revenue.
      for (const [name, amountYen] of there) {
        const sum = amountYen + (back.get(name) ?? 0n)
        expect(sum <= 6n && sum >= -6n).toBe(true)
      }
    }),
  )
})

describe('a known cause is named first', () => {
  const part = (more: Partial<MonthPart> = {}): MonthPart => ({
    ...{ publisherId: 1n, adsRevenueYen: 500_000n, sspRevenueYen: 0n, videoSspRevenueYen: 0n, liveSspRevenueYen: 0n },
    ...{ fixedRevenueAppliedYen: 0n, minimumTopUpRevenueYen: 0n, revenueYen: 500_000n, manualAdjustmentRevenueYen: 0n },
    ...{ carriedOverRevenueYen: 0n, cumulativeRevenueYen: 500_000n, paymentYen: 500_000n, carriedOverToNextYen: 0n },
    ...{ share: { ...NO_SHARE, ownAdsRateUnits: 5_000 }, ownAdsMicroYen: 1_000_000_000_000n, poolShares: [] },
    ...more,
  })
  const of = (one: MonthPart, taxYen = 50_000n): MonthAmount => ({ parts: [one], taxYen })
  const rated = part({
    ...{ share: { ...NO_SHARE, ownAdsRateUnits: 6_000 }, adsRevenueYen: 600_000n, paymentYen: 600_000n },
  })

  test.each([
    [
      'a changed rate',
      of(rated, 60_000n),
      '支払額は、2026年9月分より110,000円増えました。いちばんの要因は、支払率の変更（+100,000円）です。',
    ],
    [
      'a hold',
      of(part({ paymentYen: 0n, carriedOverToNextYen: 500_000n }), 0n),
      '支払額は、2026年9月分より550,000円減りました。いちばんの要因は、次月への繰越（−500,000円）です。',
    ],
    [
      'an adjustment',
      of(part({ manualAdjustmentRevenueYen: -80_000n, paymentYen: 420_000n }), 42_000n),
      '支払額は、2026年9月分より88,000円減りました。いちばんの要因は、調整（−80,000円）です。',
    ],
    ['nothing', of(part()), '支払額は、2026年9月分と変わっていません。'],
  ])('%s', (_, now, sentence) => {
    expect(changeOf(of(part()), now).sentence).toBe(sentence)
  })

  test('a rate and a base that change together are both told, in either order alike', () => {
    const now = part({
      ...{ share: { ...NO_SHARE, ownAdsRateUnits: 6_000 }, ownAdsMicroYen: 2_000_000_000_000n },
      ...{ adsRevenueYen: 1_200_000n, paymentYen: 1_200_000n },
    })
    const { steps } = changeOf(of(part()), of(now, 120_000n))
    expect(steps.map(({ name, amountYen }) => [name, amountYen])).toEqual([
      ...[
        ['before', 550_000n],
        ['own_ads', 550_000n],
        ['rates', 150_000n],
      ],
      ...[
        ['tax', 70_000n],
        ['now', 1_320_000n],
      ],
    ])
    expect(steps[2]!.lines).toEqual([{ label: '社1の自社広告（50% → 60%）', amountYen: 150_000n }])
  })

  test('an agreement that earns nothing any more has changed no rate', () => {
    const ended = part({ share: { ...NO_SHARE, ownAdsRateUnits: 6_000 }, adsRevenueYen: 0n, paymentYen: 0n })
    expect(changeOf(of(part()), of(ended, 0n)).steps.map(({ name }) => name)).not.toContain('rates')
  })
})
