import { expect, test } from 'vitest'
import { STANDARD_TAX_TABLE } from '../money/consumption-tax.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from './deduction.ts'
import { paymentTax } from './payment-tax.ts'

const RULES = { taxTable: STANDARD_TAX_TABLE, deductionTable: STANDARD_DEDUCTION_TABLE, isQualifiedIn: () => true }
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

test('the paid months stand in their order, and the one yen of two equal months is that of the earlier', () => {
  const { paidBuckets } = paymentTax([bucket(201911, 9n), bucket(201909, 13n), bucket(201910, 9n)], RULES)
  expect(paidBuckets.map(one => [one.generatedMonth, one.taxYen])).toEqual([
    [201909, 1n],
    [201910, 1n],
    [201911, 0n],
  ])
})

test('a month that is not positive is a fault: balances are set off before', () => {
  expect(() => paymentTax([bucket(202601, 0n)], RULES)).toThrow('a paid month is positive')
})
