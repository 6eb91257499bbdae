import { describe, expect, test } from 'vitest'
import type { YearMonth } from '../month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from './sample-month.ts'
import { settleMonth } from './settle-month.ts'
import { settlementViolations } from './settlement-invariants.ts'

const MONTH = 202611 as YearMonth
const input = sampleMonth(MONTH, { agreements: [sampleAgreement(1n, [sampleRule(101n, 70_000n)])] })

function settled() {
  const result = settleMonth(input)
  if (!result.ok) throw new Error(JSON.stringify(result.refusals))
  return result.value
}

describe('own ads', () => {
  test('as the engine rounds them, nothing is found', () => {
    expect(settlementViolations(settled(), input, null)).toEqual([])
  })

  test.each([1n, -1n])('%s yen from another part of the revenue is found, although every sum is right', yen => {
    const month = settled()
    const move = <Row extends { readonly adsRevenueYen: bigint; readonly sspRevenueYen: bigint }>(row: Row): Row => ({
      ...row,
      adsRevenueYen: row.adsRevenueYen + yen,
      sspRevenueYen: row.sspRevenueYen - yen,
    })
    const [payment] = month.payments
    const wrong = { ...move(payment!), publishers: payment!.publishers.map(move) }
    const details = settlementViolations({ ...month, payments: [wrong] }, input, null).map(each => each.detail)
    expect(details).toContainEqual(expect.stringContaining('広告収益と支払率から求めた額'))
  })
})
