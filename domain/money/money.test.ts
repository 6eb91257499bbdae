import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { YearMonth } from '../month/year-month.ts'
import { consumptionTaxYen, STANDARD_TAX_TABLE, taxRatePercentOf } from './consumption-tax.ts'
import { floorDivide } from './floor-division.ts'
import { formatScaledYen, MICRO_YEN_PER_YEN } from './micro-yen.ts'
import { applyRate, formatRate } from './rate.ts'
import { formatYen, larger, smaller } from './yen.ts'

describe('floor division', () => {
  test('is the floor on its domain', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 15n }), (a, b) => {
        const quotient = floorDivide(a, b)
        expect(quotient * b <= a && a < (quotient + 1n) * b).toBe(true)
      }),
    )
  })
  test('refuses to leave its domain', () => {
    expect(() => floorDivide(-1n, 2n)).toThrow(RangeError)
    expect(() => floorDivide(1n, 0n)).toThrow(RangeError)
    expect(() => floorDivide(1n, -2n)).toThrow(RangeError)
  })
})

describe('rate', () => {
  test('is shown with one decimal rounded down', () => {
    expect(formatRate(4555)).toBe('45.5%')
    expect(formatRate(4559)).toBe('45.5%')
    expect(formatRate(10_000)).toBe('100.0%')
    expect(formatRate(9)).toBe('0.0%')
    expect(formatRate(10)).toBe('0.1%')
  })
  test('never gives more than the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 10_000 }), (amount, rate) => {
        const part = applyRate(amount, rate)
        expect(part >= 0n && part <= amount).toBe(true)
        expect(applyRate(amount, 10_000)).toBe(amount)
      }),
    )
  })
  test('rates outside 0 to 100 % are faults', () => {
    for (const rate of [-1, 10_001, 0.5, Number.NaN]) expect(() => applyRate(1n, rate)).toThrow(RangeError)
  })
})

describe('texts', () => {
  test('yen', () => {
    expect(formatYen(0n)).toBe('0')
    expect(formatYen(999n)).toBe('999')
    expect(formatYen(-1_234_567n)).toBe('-1,234,567')
  })
  test('micro-yen are exact', () => {
    expect(formatScaledYen(44_567_900_022n, MICRO_YEN_PER_YEN)).toBe('44,567.900022')
    expect(formatScaledYen(1_050_001n, MICRO_YEN_PER_YEN)).toBe('1.050001')
    expect(formatScaledYen(-500_000n, MICRO_YEN_PER_YEN)).toBe('-0.5')
    expect(formatScaledYen(0n, MICRO_YEN_PER_YEN)).toBe('0')
    expect(formatScaledYen(1_000_000n, MICRO_YEN_PER_YEN)).toBe('1')
    expect(formatScaledYen(7n, 1n)).toBe('7')
  })
})

test('the larger and the smaller of two amounts, in whatever order', () => {
  expect([larger(-2n, 1n), larger(1n, -2n), larger(3n, 3n)]).toEqual([1n, 1n, 3n])
  expect([smaller(-2n, 1n), smaller(1n, -2n), smaller(3n, 3n)]).toEqual([-2n, -2n, 3n])
})

describe('consumption tax', () => {
  test('by generated month', () => {
    const months = [198904, 199703, 199704, 201403, 201404, 201909, 201910] as YearMonth[]
    expect(months.map(month => taxRatePercentOf(STANDARD_TAX_TABLE, month))).toEqual([3, 3, 5, 5, 8, 8, 10])
    expect(taxRatePercentOf(STANDARD_TAX_TABLE.toReversed(), 202606 as YearMonth)).toBe(10)
    expect(() => taxRatePercentOf(STANDARD_TAX_TABLE, 198903 as YearMonth)).toThrow(RangeError)
  })
  test('floors', () => {
    expect(consumptionTaxYen(5_343n, 10)).toBe(534n)
    expect(consumptionTaxYen(9n, 10)).toBe(0n)
    // A return: the floor of its magnitude.
    expect([-9n, -10n, -19n, -1_015n].map(yen => consumptionTaxYen(yen, 10))).toEqual([0n, -1n, -1n, -101n])
  })
  test('rates outside 0 to 100 % are faults, and so are parts of a per cent', () => {
    for (const rate of [-1, 101, 8.5, Number.NaN]) expect(() => consumptionTaxYen(100n, rate)).toThrow('not a tax rate')
    expect([0, 100].map(rate => consumptionTaxYen(100n, rate))).toEqual([0n, 100n])
  })
})
