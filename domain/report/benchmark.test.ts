import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feePerMille, feePosition, feeRange, feeReasons, type PublisherFee } from './fee-range.ts'
import { type Fraction, ownPosition } from './own-history.ts'

const fee = (feeYen: number, views: number, more: Partial<PublisherFee> = {}): PublisherFee => ({
  ...{ feeYen: BigInt(feeYen), views: BigInt(views), fixedYen: 0n, topUpYen: 0n, rateUnits: 5_000 },
  ...more,
})

describe('the fee per 1,000 views', () => {
  test('is rounded down to the micro-yen, and nothing without views', () => {
    expect(feePerMille(fee(1, 3))).toBe(333_333_333n)
    expect(feePerMille(fee(45_000, 1_000_000))).toBe(45_000_000n)
    expect(feePerMille(fee(45_000, 0))).toBeNull()
  })

  test('quartiles are fees of somebody: a quarter of the publishers is not above the first', () => {
    const some = fc.record({ feeYen: fc.nat(10 ** 9), views: fc.nat(10 ** 9), rateUnits: fc.nat(10_000) })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), drawn => {
        const fees = drawn.map(one => fee(one.feeYen, one.views, { rateUnits: one.rateUnits }))
        const values = fees.flatMap(one => feePerMille(one) ?? [])
        const range = feeRange(fees)
        expect(range !== undefined).toBe(values.length >= 4)
        if (!range) return
        for (const [value, quarters] of [
          [range.firstQuartile, 1],
          [range.median, 2],
          [range.thirdQuartile, 3],
        ] as const) {
          expect(values).toContain(value)
          expect(values.filter(one => one <= value).length * 4).toBeGreaterThanOrEqual(values.length * quarters)
          expect(values.filter(one => one < value).length * 4).toBeLessThan(values.length * quarters)
        }
        const positions = fees.map(one => feePosition(one, range))
        expect(positions.filter(one => one === null)).toHaveLength(fees.length - values.length)
        expect(positions.filter(one => one === 'below')).toHaveLength(
          values.filter(one => one < range.firstQuartile).length,
        )
      }),
    )
  })

  test('reasons are what of the terms differs', () => {
    const fees = [4_000, 5_000, 5_000, 6_000].map(rateUnits => fee(100, 10, { rateUnits }))
    const range = feeRange(fees)!
    expect(range.medianRateUnits).toBe(5_000)
    expect(fees.map(one => feeReasons(one, range))).toEqual([['lower_rate'], [], [], ['higher_rate']])
    expect(feeReasons(fee(1, 1, { fixedYen: 1n, topUpYen: 1n }), undefined)).toEqual(['fixed', 'minimum'])
  })
})

describe('a month among the own ones before it', () => {
  const of = (...values: number[]): Fraction[] => values.map(value => ({ numerator: BigInt(value), denominator: 1n }))

  test('how many it exceeds, and what was least, in the middle and most', () => {
    expect(ownPosition(of(5)[0]!, of(9, 1, 5, 3))).toEqual({
      ...{ months: 4, exceeded: 2, equal: 1, percentile: 62 },
      ...{ lowest: of(1)[0], median: of(3)[0], highest: of(9)[0] },
    })
    expect(ownPosition(of(0)[0]!, of(1, 2, 3))!.percentile).toBe(0)
    expect(ownPosition(of(4)[0]!, of(1, 2, 3))!.percentile).toBe(100)
  })

  test('months without a denominator are not known, and too few say nothing', () => {
    const nothing = { numerator: 5n, denominator: 0n }
    expect(ownPosition(of(4)[0]!, [...of(1, 2), nothing])).toBeUndefined()
    expect(ownPosition(nothing, of(1, 2, 3))).toBeUndefined()
  })

  test('fractions are compared exactly', () => {
    const fractions = fc.record({
      numerator: fc.bigInt({ min: 0n, max: 10n ** 18n }),
      denominator: fc.bigInt({ min: 1n, max: 10n ** 18n }),
    })
    fc.assert(
      fc.property(fractions, fc.array(fractions, { minLength: 3, maxLength: 12 }), (now, before) => {
        const standing = ownPosition(now, before)!
        const scaled = (one: Fraction) => (one.numerator * 10n ** 40n) / one.denominator
        expect(standing.exceeded).toBe(
          before.filter(one => one.numerator * now.denominator < now.numerator * one.denominator).length,
        )
        expect(scaled(standing.lowest)).toBe(before.map(scaled).reduce((a, b) => (a < b ? a : b)))
        expect(scaled(standing.highest)).toBe(before.map(scaled).reduce((a, b) => (a > b ? a : b)))
      }),
    )
  })
})
