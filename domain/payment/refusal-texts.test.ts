import { describe, expect, test } from 'vitest'
import { AGREEMENT_REFUSALS_JA } from '../agreement/agreement-refusals.ja.ts'
import { BANK_REFUSALS_JA } from '../bank/bank-refusals.ja.ts'
import { HOLIDAY_CALENDAR_REFUSALS_JA } from '../month/holiday-calendar-refusals.ja.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { Refusal } from '../refusal.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '../settlement/sample-month.ts'
import { settleMonth } from '../settlement/settle-month.ts'
import { readAdjustmentCsv } from './adjustment-csv.ts'
import { PAYMENT_REFUSALS_JA } from './payment-refusals.ja.ts'

const TEXTS: Readonly<Record<string, (data: Refusal['data']) => string>> = {
  ...AGREEMENT_REFUSALS_JA,
  ...BANK_REFUSALS_JA,
  ...HOLIDAY_CALENDAR_REFUSALS_JA,
  ...PAYMENT_REFUSALS_JA,
}
const textOf = (refusal: Refusal) => TEXTS[refusal.code]!(refusal.data)

describe('refusal texts', () => {
  test.each(Object.keys(TEXTS))('%s is a Japanese sentence', code => {
    const text = TEXTS[code]!(new Proxy({}, { get: () => 202_606 }))
    expect(text).toMatch(/[ぁ-ん].*。$/)
    expect(text).not.toMatch(/undefined|NaN|null/)
  })

  test('what a refusal carries is what its text names', () => {
    const month = settleMonth(sampleMonth(202712, { agreements: [sampleAgreement(7n, [sampleRule(9n, -1n)])] }))
    expect(month.ok ? [] : month.refusals.map(textOf)).toEqual([
      'パブリッシャー9（契約7）の広告収益が負の値です。取り込んだ統計を確認してください。',
    ])
    const holidays = settleMonth(sampleMonth(202712, { agreements: [sampleAgreement(7n, [sampleRule(9n, 1n)])] }))
    expect(holidays.ok ? [] : holidays.refusals.map(textOf)).toEqual([
      '2028年の祝日が取り込まれていません。内閣府の祝日CSVを取り込んでください。',
    ])
    const csv = readAdjustmentCsv(
      [{ agreementId: '1', publisherId: '2', amountYen: '1.5', reason: '', originMonth: '' }],
      {
        jobId: 1n,
        method: 'payment',
        month: 202607 as YearMonth,
        rules: [{ agreementId: 1n, publisherId: 2n }],
        originMonths: 'any',
      },
    )
    expect(csv.ok ? [] : csv.refusals.map(textOf)).toEqual(['見出しを除く1行目：金額は整数で入力してください。'])
  })
})
