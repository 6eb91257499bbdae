import { expect, test } from 'vitest'
import { addMonths, type YearMonth } from '../month/year-month.ts'
import {
  aboveYearlyLimitYen,
  deductiblePercentOf,
  STANDARD_DEDUCTION_TABLE,
  splitInputTax,
  taxPeriodOf,
  taxPeriodsIn,
} from './deduction.ts'

const startsIn = (value: number) => [{ validFromMonth: 202012 as YearMonth, value }]

test.each([
  // The period of a month, for books that begin in January, April, October and December.
  [202612, 1, 202601, 202612],
  [202701, 1, 202701, 202712],
  [202703, 4, 202604, 202703],
  [202704, 4, 202704, 202803],
  [202609, 10, 202510, 202609],
  [202610, 10, 202610, 202709],
  [202611, 12, 202512, 202611],
])('the tax period of %i in books that begin in month %i', (month, start, first, last) => {
  expect(taxPeriodOf(month as YearMonth, startsIn(start))).toEqual({ first, last })
})

test('a change of the first month makes a shorter period, and leaves no month out', () => {
  const change = (from: number, startMonth: number) => [
    ...startsIn(1),
    { validFromMonth: from as YearMonth, value: startMonth },
  ]
  // Before the first line, its month applies.
  expect(taxPeriodOf(201903 as YearMonth, startsIn(4))).toEqual({ first: 201804, last: 201903 })
  expect(() => taxPeriodOf(202603 as YearMonth, [])).toThrow(RangeError)
  // From July 2026 on periods begin in July, so January to June 2026 are one period.
  expect(taxPeriodsIn(2026, change(202607, 7))).toEqual([
    { first: 202601, last: 202606 },
    { first: 202607, last: 202706 },
  ])
  // Announced half a year before, the year still ends.
  expect(taxPeriodOf(202603 as YearMonth, change(202601, 7))).toEqual({ first: 202601, last: 202606 })
  expect(taxPeriodOf(202605 as YearMonth, [...change(202607, 7)].toReversed())).toEqual({ first: 202601, last: 202606 })
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = (limit: number) => (seed * 7919 + limit * 104_729) % limit
    const starts = change(202501 + random(12), 1 + random(11) + (seed % 2))
    const periods = [2024, 2025, 2026, 2027].flatMap(year => taxPeriodsIn(year, starts))
    for (const [index, period] of periods.entries()) {
      expect(period.last).toBeGreaterThanOrEqual(period.first)
      expect(period.last).toBeLessThanOrEqual(addMonths(period.first, 11))
      expect(taxPeriodOf(period.last, starts)).toEqual(period)
      expect(taxPeriodOf(period.first, starts.toReversed())).toEqual(period)
      if (index > 0) expect(period.first).toBe(addMonths(periods[index - 1]!.last, 1))
    }
  }
})

test.each([
  // Cases on both sides of each limit and of its first day.
  [202409, 99_999_999_999n, 0n],
  [202410, 1_000_000_000n, 0n],
  [202410, 1_000_000_001n, 1n],
  [202609, 1_000_000_000n, 0n],
  [202609, 1_000_000_001n, 1n],
  [202610, 99_999_999n, 0n],
  [202610, 100_000_000n, 0n],
  [202610, 100_000_001n, 1n],
  [202701, 1_000_000_001n, 900_000_001n],
])('of a period from %i on, %s yen are above the yearly limit by', (first, purchasesYen, aboveYen) => {
  expect(aboveYearlyLimitYen(purchasesYen, { first: first as YearMonth })).toBe(aboveYen)
})

test('deduction by generated month', () => {
  const percent = (month: number) =>
    deductiblePercentOf(STANDARD_DEDUCTION_TABLE.toReversed(), month as YearMonth, false)
  expect([198904, 202309, 202310, 202609, 202610, 202809, 202810, 203009, 203010, 203109, 203110].map(percent)).toEqual(
    [100, 100, 80, 80, 70, 70, 50, 50, 30, 30, 0],
  )
  expect(deductiblePercentOf(STANDARD_DEDUCTION_TABLE, 203501 as YearMonth, true)).toBe(100)
  expect(() => percent(198903)).toThrow('no consumption tax or deduction rate for 198903')
})

test('what is deductible is cut once, on the way to 0', () => {
  expect(splitInputTax(99n, 80)).toEqual({ deductibleTaxYen: 79n, nonDeductibleTaxYen: 20n })
  expect(splitInputTax(-99n, 70)).toEqual({ deductibleTaxYen: -69n, nonDeductibleTaxYen: -30n })
  expect(splitInputTax(99n, 0)).toEqual({ deductibleTaxYen: 0n, nonDeductibleTaxYen: 99n })
})
