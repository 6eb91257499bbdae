import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from './deduction.ts'
import {
  accrualEntry,
  type BookedTransfer,
  imbalanceYen,
  OUTSIDE,
  payableEntry,
  purchaseTaxCategory,
  returnEntry,
  STANDARD_CHART_OF_ACCOUNTS,
  settlementEntry,
} from './journal.ts'
import { journalTable, taxCategoryText } from './journal-export.ts'
import { followingMonth, randomMonth } from './random-month.ts'
import {
  carriedInto,
  paymentOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from './sample-month.ts'

const CHART = STANDARD_CHART_OF_ACCOUNTS

/** A non-qualified payee whose payment covers September (80 %) and October 2026 (70 %). */
function twoPeriods() {
  const terms = { payoutThresholdYen: 3_000n }
  const september = paymentOf(
    settled(sampleMonth(202609, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1_005n)], { terms })] })),
    1n,
  )
  const rules = carriedInto([sampleRule(1n, 2_010n)], september)
  return paymentOf(settled(sampleMonth(202610, { agreements: [sampleAgreement(1n, rules, { terms })] })), 1n)
}
const TRANSFER: BookedTransfer = {
  transferId: 42n,
  partnerName: '取引先1',
  paymentIncludingTaxYen: 3_316n,
  withholdingYen: 307n,
  feeYen: 660n,
  feeBorneByPayeeYen: 0n,
  transferAmountYen: 3_009n,
}

describe('journal', () => {
  test('the category follows the generated month', () => {
    const text = (month: number, isQualified = false) =>
      taxCategoryText(purchaseTaxCategory(STANDARD_DEDUCTION_TABLE, month as YearMonth, isQualified, 10))
    expect(text(202309)).toBe('課対仕入10%')
    expect(text(202609)).toBe('課対仕入(控80)10%')
    expect(text(202610)).toBe('課対仕入(控70)10%')
    expect(text(202809)).toBe('課対仕入(控70)10%')
    expect(text(202810)).toBe('課対仕入(控50)10%')
    expect(text(203010)).toBe('課対仕入(控30)10%')
    expect(text(203109)).toBe('課対仕入(控30)10%')
    expect(text(203110)).toBe('対象外')
    expect(text(203110, true)).toBe('課対仕入10%')
    expect(taxCategoryText(OUTSIDE)).toBe('対象外')
  })

  test('payable: one cost line for each generated month, tax split into deductible and cost', () => {
    const entry = payableEntry(twoPeriods(), day('2026-11-05'), CHART)!
    expect(imbalanceYen(entry)).toBe(0n)
    const rows = journalTable('generic', [entry], CHART).rows.map(row => [row[3], row[4], row[5], row[6], row[7]])
    expect(rows).toEqual([
      ['借方', '未払費用', '3015', '対象外', ''],
      ['貸方', '支払報酬料', '3015', '対象外', ''],
      ['借方', '支払報酬料', '1005', '課対仕入(控80)10%', '2026-09'],
      ['借方', '仮払消費税', '80', '課対仕入(控80)10%', '2026-09'],
      ['借方', '租税公課', '20', '課対仕入(控80)10%', '2026-09'],
      ['借方', '支払報酬料', '2010', '課対仕入(控70)10%', '2026-10'],
      ['借方', '仮払消費税', '140', '課対仕入(控70)10%', '2026-10'],
      ['借方', '租税公課', '61', '課対仕入(控70)10%', '2026-10'],
      ['貸方', '未払金', '3316', '対象外', ''],
    ])
  })

  test('payable: a month that is given back stands on the other side, with its tax at its own deduction (E13)', () => {
    const carried = [{ generatedMonth: 201909 as YearMonth, amountYen: 20_000n }]
    const input = sampleMonth(202610, {
      agreements: [sampleAgreement(1n, [sampleRule(1n, 100_000n, { carried })])],
      adjustments: [sampleAdjustment(1n, 1n, -25_000n, { originMonth: 202608 as YearMonth })],
    })
    const entry = payableEntry(paymentOf(settled(input), 1n), day('2026-11-05'), CHART)!
    expect(imbalanceYen(entry)).toBe(0n)
    const rows = journalTable('generic', [entry], CHART).rows.map(row => [row[3], row[4], row[5], row[6], row[7]])
    expect(rows).toEqual([
      ['借方', '未払費用', '95000', '対象外', ''],
      ['貸方', '支払報酬料', '95000', '対象外', ''],
      ['借方', '支払報酬料', '20000', '課対仕入8%', '2019-09'],
      ['借方', '仮払消費税', '1600', '課対仕入8%', '2019-09'],
      ['貸方', '支払報酬料', '25000', '課対仕入(控80)10%', '2026-08'],
      ['貸方', '仮払消費税', '2000', '課対仕入(控80)10%', '2026-08'],
      ['貸方', '租税公課', '500', '課対仕入(控80)10%', '2026-08'],
      ['借方', '支払報酬料', '100000', '課対仕入(控70)10%', '2026-10'],
      ['借方', '仮払消費税', '7000', '課対仕入(控70)10%', '2026-10'],
      ['借方', '租税公課', '3000', '課対仕入(控70)10%', '2026-10'],
      ['貸方', '未払金', '104100', '対象外', ''],
    ])
  })

  test('an entry says which payment and month it is about', () => {
    const payment = twoPeriods()
    const said = [accrualEntry(payment, CHART)!, payableEntry(payment, day('2026-11-05'), CHART)!]
    expect(said.map(({ reference, description }) => [reference, description])).toEqual([
      ['payment:1/202610', '2026年10月分 媒体報酬 計上'],
      ['payment:1/202610', '2026年10月分 媒体報酬 支払確定'],
    ])
  })

  test.each([
    [660n, 10, 600n, 60n],
    [441n, 10, 401n, 40n],
    [660n, 8, 612n, 48n],
    [9n, 10, 9n, 0n],
  ])(
    'of a fee of %d yen with %d %% the tax is split off, one floor',
    (feeYen, percent, amountYen, deductibleTaxYen) => {
      const entry = settlementEntry({ ...TRANSFER, feeYen }, day('2026-11-30'), percent, CHART)
      expect(entry.lines.find(line => line.account === '支払手数料')).toMatchObject({ amountYen, deductibleTaxYen })
    },
  )

  test('an entry that does not balance says by how much: positive when the debits are more', () => {
    const entry = settlementEntry(TRANSFER, day('2026-11-30'), 10, CHART)
    const without = (account: string) => ({ ...entry, lines: entry.lines.filter(line => line.account !== account) })
    expect(imbalanceYen(without('預り金'))).toBe(307n)
    expect(imbalanceYen(without('未払金'))).toBe(-3_316n)
  })

  test('settlement: platform bears the fee, withholding is owed to the tax office', () => {
    const entry = settlementEntry(TRANSFER, day('2026-11-30'), 10, CHART)
    expect(imbalanceYen(entry)).toBe(0n)
    expect(entry.lines.map(line => [line.side, line.account, line.amountYen + line.deductibleTaxYen])).toEqual([
      ['debit', '未払金', 3_316n],
      ['debit', '支払手数料', 660n],
      ['credit', '預り金', 307n],
      ['credit', '普通預金', 3_009n],
      ['credit', '普通預金', 660n],
    ])
  })

  test('settlement: the payee bears the fee', () => {
    const transfer: BookedTransfer = { ...TRANSFER, feeBorneByPayeeYen: 660n, transferAmountYen: 2_349n }
    const entry = settlementEntry(transfer, day('2026-11-30'), 10, CHART)
    expect(imbalanceYen(entry)).toBe(0n)
    expect(entry.lines.map(line => line.account)).toEqual(['未払金', '預り金', '普通預金', '普通預金'])
  })

  test('a transfer without withholding and fee has no lines of nothing, neither when it is sent nor when it comes back', () => {
    const transfer = { ...TRANSFER, withholdingYen: 0n, feeYen: 0n, transferAmountYen: 3_316n }
    const linesOf = (entry: ReturnType<typeof settlementEntry>) => entry.lines.map(line => [line.side, line.account])
    expect(linesOf(settlementEntry(transfer, day('2026-11-30'), 10, CHART))).toEqual([
      ['debit', '未払金'],
      ['credit', '普通預金'],
    ])
    expect(linesOf(returnEntry(transfer, day('2026-12-02'), 10, CHART))).toEqual([
      ['debit', '普通預金'],
      ['credit', '未払金'],
    ])
  })

  test.each([0n, 660n])(
    'a transfer that comes back is owed again; the payee bore %d yen of the fee',
    feeBorneByPayeeYen => {
      const transfer = { ...TRANSFER, feeBorneByPayeeYen, transferAmountYen: 3_009n - feeBorneByPayeeYen }
      const entries = [
        settlementEntry(transfer, day('2026-11-30'), 10, CHART),
        returnEntry(transfer, day('2026-12-02'), 10, CHART),
      ]
      for (const entry of entries) expect(imbalanceYen(entry)).toBe(0n)
      const moved = (account: string) =>
        sumBy(
          entries.flatMap(entry => entry.lines),
          line =>
            line.account !== account
              ? 0n
              : line.side === 'debit'
                ? line.amountYen + line.deductibleTaxYen
                : -line.amountYen,
        )
      expect([moved('未払金'), moved('預り金'), moved('支払手数料'), moved('普通預金')]).toEqual([0n, 0n, 660n, -660n])
    },
  )

  test('a clawback month turns the accrual round; nothing accrues from nothing', () => {
    const adjustments = [sampleAdjustment(1n, 1n, -35_000n)]
    const negative = paymentOf(
      settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 20_000n)])], adjustments })),
      1n,
    )
    const entry = accrualEntry(negative, CHART)!
    expect(entry.on).toBe('2026-06-30')
    expect(entry.lines.map(line => [line.side, line.account, line.amountYen])).toEqual([
      ['debit', '未払費用', 15_000n],
      ['credit', '支払報酬料', 15_000n],
    ])
    expect(payableEntry(negative, day('2026-07-05'), CHART)).toBeNull()
    const nothing = paymentOf(
      settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 0n)])] })),
      1n,
    )
    expect(accrualEntry(nothing, CHART)).toBeNull()
  })

  test('freee and Money Forward: columns, balanced rows, categories', () => {
    const entries = [
      payableEntry(twoPeriods(), day('2026-11-05'), CHART)!,
      settlementEntry(TRANSFER, day('2026-11-30'), 10, CHART),
    ]
    for (const format of ['freee', 'money_forward'] as const) {
      const table = journalTable(format, entries, CHART)
      expect(table.rows.every(row => row.length === table.header.length)).toBe(true)
      const debit = table.header.findIndex(name => name.startsWith('借方金額'))
      const credit = table.header.findIndex(name => name.startsWith('貸方金額'))
      const sumOf = (column: number) => sumBy(table.rows, row => BigInt(row[column] || '0'))
      expect(sumOf(debit)).toBe(sumOf(credit))
    }
    const freee = journalTable('freee', entries, CHART)
    const row = freee.rows.find(each => each[freee.header.indexOf('借方税区分')] === '課対仕入(控70)10%')!
    expect(row.slice(2, 8)).toEqual(['支払報酬料', '課対仕入(控70)10%', '234', '2211', '140', '取引先1'])
    const forward = journalTable('money_forward', entries, CHART)
    expect(forward.header).toHaveLength(27)
    expect(forward.rows.map(each => each[forward.header.indexOf('借方インボイス')])).toContain('70%控除')
  })

  test('I20: accrued costs are released by what is paid, over any months', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        let input: ReturnType<typeof followingMonth> = randomMonth(seed)
        // What is carried over from before the books was accrued there: the account begins with it.
        const accrued = new Map(
          input.agreements.map(({ agreementId, rules }) => [
            agreementId,
            sumBy(
              rules.flatMap(rule => rule.opening ?? []),
              bucket => bucket.amountYen,
            ),
          ]),
        )
        for (let step = 1; input && step <= 4; step += 1) {
          const month = settled(input)
          for (const payment of month.payments) {
            const entries = [accrualEntry(payment, CHART), payableEntry(payment, day('2026-11-05'), CHART)].filter(
              each => each !== null,
            )
            for (const entry of entries) expect(imbalanceYen(entry)).toBe(0n)
            const movedYen = sumBy(
              entries.flatMap(entry => entry.lines),
              line =>
                line.account !== CHART.accruedCost ? 0n : line.side === 'credit' ? line.amountYen : -line.amountYen,
            )
            accrued.set(payment.agreementId, (accrued.get(payment.agreementId) ?? 0n) + movedYen)
            expect(accrued.get(payment.agreementId)).toBe(payment.carriedOverToNextYen)
          }
          input = followingMonth(seed + step, input, month)
        }
      }),
    )
  })
})
