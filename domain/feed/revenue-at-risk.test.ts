import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedShare, missingShare, revenueAtRiskYen, usualRevenueMicroYen } from './revenue-at-risk.ts'

const yen = (amount: number) => BigInt(amount) * 1_000_000n
const WEEK = [1, 2, 3, 4, 5, 6, 100].map(thousand => yen(thousand * 1_000))

test('the median of the days times the missing share', () => {
  expect(usualRevenueMicroYen(WEEK)).toBe(yen(4_000))
  expect(usualRevenueMicroYen([...WEEK, yen(7_000)])).toBe(yen(4_500))
  expect(revenueAtRiskYen(WEEK, 10_000n, 10_000n)).toBe(4_000n)
  expect(revenueAtRiskYen(WEEK, 5_000n, 7_500n)).toBe(1_500n)
  expect(revenueAtRiskYen(WEEK, 3_333n, 3_333n)).toBe(444n)
})

test('too few days say nothing, days without revenue say zero', () => {
  expect(revenueAtRiskYen(WEEK.slice(1), 10_000n, 10_000n)).toBeUndefined()
  expect(revenueAtRiskYen([], 10_000n, 10_000n)).toBeUndefined()
  expect(
    revenueAtRiskYen(
      WEEK.map(() => 0n),
      10_000n,
      10_000n,
    ),
  ).toBe(0n)
})

test.each([
  ['outage', null, null, 10_000n],
  ['failing', 3, 1_000, 10_000n],
  ['quiet', 2, 1_000, 8_000n],
  ['quiet', 0, 300, 10_000n],
  ['quiet', 20, 1_000, 0n],
  ['quiet', null, 1_000, 0n],
  ['ok', 0, 1_000, 0n],
  ['unchecked', null, null, 0n],
] as const)('%s with %s of %s hundredths misses %s', (state, volumeItems, usualHundredths, expected) =>
  expect(missingShare({ state, volumeItems, usualHundredths })).toBe(expected),
)

test('a feed has the part of its usual articles, or an equal part while one of them is unknown', () => {
  expect(feedShare(1_000, [])).toBe(10_000n)
  expect(feedShare(null, [])).toBe(10_000n)
  expect(feedShare(1_000, [3_000])).toBe(2_500n)
  expect(feedShare(1_000, [null])).toBe(5_000n)
  expect(feedShare(null, [1_000, 2_000])).toBe(3_333n)
  expect(feedShare(0, [0])).toBe(5_000n)
})

test('the parts of the feeds of a publisher are never more than the whole', () => {
  const usual = fc.option(fc.nat({ max: 100_000 }))
  fc.assert(
    fc.property(fc.array(usual, { minLength: 1, maxLength: 8 }), all => {
      const shares = all.map((own, at) => feedShare(own, all.toSpliced(at, 1)))
      expect(shares.reduce((sum, each) => sum + each, 0n)).toBeLessThanOrEqual(10_000n)
    }),
  )
})
