import { expect, test } from 'vitest'
import { STANDARD_TAX_TABLE } from '../money/consumption-tax.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from './deduction.ts'
import { paymentTax } from './payment-tax.ts'
import { splitByLargestRemainder, splitEachMonth } from './tax-split.ts'

const RULES = {
  taxTable: STANDARD_TAX_TABLE,
  deductionTable: STANDARD_DEDUCTION_TABLE,
  isQualifiedIn: () => true,
  splitTax: splitEachMonth,
}
const bucket = (generatedMonth: number, amountYen: bigint) => ({
  generatedMonth: generatedMonth as YearMonth,
  amountYen,
})

test('one line for each rate, the highest first, with one floor each, whatever the order of the months', () => {
  const months = [bucket(201403, 19n), bucket(201909, 13n), bucket(201910, 9n), bucket(201911, 9n), bucket(199703, 99n)]
  for (const given of [months, months.toReversed()]) {
    const { taxLines, paymentTaxYen } = paymentTax(given, RULES)
    expect(taxLines).toEqual([
      // Two months of 9 yen: 1.8 yen of tax on their sum, where each alone would have none.
      { ratePercent: 10, amountYen: 18n, taxYen: 1n },
      { ratePercent: 8, amountYen: 13n, taxYen: 1n },
      { ratePercent: 5, amountYen: 19n, taxYen: 0n },
      { ratePercent: 3, amountYen: 99n, taxYen: 2n },
    ])
    expect(paymentTaxYen).toBe(4n)
  }
})

test('the paid months are in their order, and the one yen of two equal months is that of the earlier', () => {
  const { paidBuckets } = paymentTax([bucket(201911, 9n), bucket(201909, 13n), bucket(201910, 9n)], RULES)
  expect(paidBuckets.map(one => [one.generatedMonth, one.taxYen])).toEqual([
    [201909, 1n],
    [201910, 1n],
    [201911, 0n],
  ])
})

test('a rate of returns is a line of its own, one that nets to 0 has none and keeps its months', () => {
  const { taxLines, paymentTaxYen, paidBuckets } = paymentTax(
    [bucket(201909, -1_015n), bucket(202601, 55n), bucket(202602, -55n), bucket(201403, 500n)],
    RULES,
  )
  expect(taxLines).toEqual([
    { ratePercent: 8, amountYen: -1_015n, taxYen: -81n },
    { ratePercent: 5, amountYen: 500n, taxYen: 25n },
  ])
  expect(paymentTaxYen).toBe(-56n)
  expect(paidBuckets.map(one => [one.generatedMonth, one.amountYen, one.taxYen])).toEqual([
    [201403, 500n, 25n],
    [201909, -1_015n, -81n],
    [202601, 55n, 5n],
    [202602, -55n, -5n],
  ])
})

test('the yen that rounding leaves go to months of their own sign: fraction, then amount, then month', () => {
  const split = (taxYen: bigint, ...amounts: bigint[]) =>
    splitEachMonth(
      taxYen,
      amounts.map((amountYen, index) => bucket(202601 + index, amountYen)),
      10,
    )
  // 1.9 + 1.9 − 0.5 = 3.3 → 3 against 1 + 1 − 0: one yen more, to the earlier of the two equal ones.
  expect(split(3n, 19n, 19n, -5n)).toEqual([2n, 1n, 0n])
  // 0.5 and 10.5 have the same fraction; the larger amount gets the yen.
  expect(split(11n, 5n, 105n)).toEqual([0n, 11n])
  // 10.0 − 0.9 − 0.8 = 8.3 → 8: two yen less, from the two returns.
  expect(split(8n, 100n, -9n, -8n)).toEqual([10n, -1n, -1n])
  // −10.0 + 0.9 + 0.8 = −8.3 → −8, the same with the signs turned.
  expect(split(-8n, -100n, 9n, 8n)).toEqual([-10n, 1n, 1n])
})

test('before returns had lines, a month that is not positive is a fault: balances are set off before', () => {
  const before = { ...RULES, splitTax: splitByLargestRemainder }
  expect(() => paymentTax([bucket(202601, 0n)], before)).toThrow('a paid month is positive')
})
