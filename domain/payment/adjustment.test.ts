import { describe, expect, test } from 'vitest'
import type { YearMonth } from '../month/year-month.ts'
import { applyAdjustments } from './adjustment.ts'
import { paymentOf, sampleAdjustment, sampleAgreement, sampleMonth, sampleRule, settled } from './sample-month.ts'

const row = (jobId: bigint, line: number, amountYen: bigint, method: 'payment' | 'discard') =>
  sampleAdjustment(1n, 1n, amountYen, { jobId, line, method })
const applied = (balanceYen: bigint, rows: Parameters<typeof applyAdjustments>[1]) =>
  applyAdjustments(balanceYen, rows).map(({ jobId, line, appliedYen }) => [jobId, line, appliedYen])

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
    // A debt is not made smaller by a discard, nor larger.
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
