import { describe, expect, test } from 'vitest'
import type { YearMonth } from '../month/year-month.ts'
import { applyAdjustments, discardFromOldest, discardFromOrigin } from './adjustment.ts'
import { paymentOf, sampleAdjustment, sampleAgreement, sampleMonth, sampleRule, settled } from './sample-month.ts'

const row = (jobId: bigint, line: number, amountYen: bigint, method: 'payment' | 'discard') =>
  sampleAdjustment(1n, 1n, amountYen, { jobId, line, method })
const applied = (balanceYen: bigint, rows: Parameters<typeof applyAdjustments>[1]) =>
  applyAdjustments([bucket(202606, balanceYen)], rows, 202606 as YearMonth, discardFromOldest).adjustments.map(
    ({ jobId, line, appliedYen }) => [jobId, line, appliedYen],
  )
const bucket = (month: number, amountYen: bigint) => ({ generatedMonth: month as YearMonth, amountYen })

describe('the months that a discard takes from', () => {
  const before = [bucket(202603, 400n), bucket(202604, -300n), bucket(202605, 500n), bucket(202606, 200n)]
  const open = (rows: Parameters<typeof applyAdjustments>[1], months = discardFromOldest) =>
    applyAdjustments(before, rows, 202606 as YearMonth, months).openBuckets.map(each => [
      each.generatedMonth,
      each.amountYen,
    ])
  const discard = (line: number, amountYen: bigint, originMonth: number | null = null) =>
    sampleAdjustment(1n, 1n, amountYen, { line, method: 'discard', originMonth: originMonth as YearMonth | null })

  test('the oldest with a positive amount, one after the other, never more than the balance', () => {
    const negative = [202604, -300n]
    expect(open([discard(1, 100n)])).toEqual([[202603, 300n], negative, [202605, 500n], [202606, 200n]])
    expect(open([discard(1, 500n)])).toEqual([negative, [202605, 400n], [202606, 200n]])
    // The balance is 800: the discard leaves 0, and the months stay.
    expect(open([discard(1, 9_999n)])).toEqual([negative, [202605, 100n], [202606, 200n]])
    expect(open([discard(1, 500n), discard(2, 9_999n)])).toEqual(open([discard(1, 9_999n)]))
  })

  test('the month that it names, even below 0; the next row sees what is left', () => {
    expect(open([discard(1, 600n, 202605), discard(2, 150n)])).toEqual([
      [202603, 250n],
      [202604, -300n],
      [202605, -100n],
      [202606, 200n],
    ])
    const payments = [sampleAdjustment(1n, 1n, 50n, { line: 9, originMonth: 202601 as YearMonth }), discard(1, 60n)]
    expect(open(payments)).toEqual([
      [202603, 390n],
      [202604, -300n],
      [202605, 500n],
      [202606, 200n],
    ])
  })

  test('of the first version: the running month', () => {
    expect(open([discard(1, 500n)], discardFromOrigin).at(-1)).toEqual([202606, -300n])
  })
})

describe('adjustments of one rule', () => {
  test('discards take what is there by job and line, whatever the order of the rows, and stop at 0', () => {
    const rows = [row(1n, 1, 400n, 'discard'), row(1n, 2, 400n, 'discard'), row(2n, 1, 400n, 'discard')]
    for (const given of [rows, rows.toReversed(), [rows[1]!, rows[2]!, rows[0]!]])
      expect(applied(1_000n, given)).toEqual([
        [1n, 1, -400n],
        [1n, 2, -400n],
        [2n, 1, -200n],
      ])
    expect(applied(400n, rows)).toEqual([
      [1n, 1, -400n],
      [1n, 2, 0n],
      [2n, 1, 0n],
    ])
  })

  test('what is paid on top can be discarded, what is taken back cannot', () => {
    const discard = row(1n, 1, 5_000n, 'discard')
    expect(applied(1_000n, [discard, row(2n, 1, 300n, 'payment')])).toEqual([
      [2n, 1, 300n],
      [1n, 1, -1_300n],
    ])
    expect(applied(1_000n, [discard, row(2n, 1, -300n, 'payment')])).toEqual([
      [2n, 1, -300n],
      [1n, 1, -700n],
    ])
    // A discard makes a debt neither smaller nor larger.
    expect(applied(1_000n, [discard, row(2n, 1, -3_000n, 'payment')])).toEqual([
      [2n, 1, -3_000n],
      [1n, 1, 0n],
    ])
  })

  test('the carry of former months and the revenue of this one can be discarded together', () => {
    const carried = [{ generatedMonth: 202605 as YearMonth, amountYen: 1_000n }]
    const agreements = [sampleAgreement(1n, [sampleRule(1n, 500n, { carried })])]
    const settle = (amountYen: bigint) => {
      const adjustments = [sampleAdjustment(1n, 1n, amountYen, { method: 'discard' })]
      const payment = paymentOf(settled(sampleMonth(202606, { agreements, adjustments })), 1n)
      return [payment.manualAdjustmentRevenueYen, payment.cumulativeRevenueYen]
    }
    expect(settle(1_400n)).toEqual([-1_400n, 100n])
    expect(settle(2_000n)).toEqual([-1_500n, 0n])
  })
})
