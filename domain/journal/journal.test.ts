import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { STANDARD_TAX_TABLE, taxRatePercentOf } from '../money/consumption-tax.ts'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from '../settlement/deduction.ts'
import { mergeBuckets } from '../settlement/generated-bucket.ts'
import { followingMonth, randomMonth } from '../settlement/random-month.ts'
import {
  carriedInto,
  paymentOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from '../settlement/sample-month.ts'
import type { GeneratedBucket, MonthInput } from '../settlement/settlement-input.ts'
import { STANDARD_CHART_OF_ACCOUNTS } from './chart-of-accounts.ts'
import {
  type AccrualAgreement,
  type AccrualTaxes,
  accrualEntry,
  type InputTaxTimingOf,
  payableEntry,
  purchaseTaxCategory,
} from './close-journal.ts'
import { imbalanceYen, type JournalEntry, OUTSIDE } from './journal-entry.ts'
import { journalTable, taxCategoryText } from './journal-export.ts'
import { type BookedTransfer, returnEntry, transferEntry } from './transfer-journal.ts'

const CHART = STANDARD_CHART_OF_ACCOUNTS
const FINALISING: InputTaxTimingOf = () => 'finalising'
const TAXES: AccrualTaxes = {
  timingOf: FINALISING,
  taxTable: STANDARD_TAX_TABLE,
  deductionTable: STANDARD_DEDUCTION_TABLE,
}

const NOTHING_CARRIED: AccrualAgreement = { qualifiedMonths: [], rules: [] }

/** Months whose tax is booked at the accrual are all settled by these rules. */
const withReturnsPerRate = (input: MonthInput): MonthInput => ({
  ...input,
  settings: { ...input.settings, rules: 'returns_per_rate' },
})

/** A non-qualified payee whose payment covers September (80 %) and October 2026 (70 %). */
function twoPeriods(octoberYen = 2_010n) {
  const terms = { payoutThresholdYen: 2_000n }
  const september = paymentOf(
    settled(sampleMonth(202609, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1_005n)], { terms })] })),
    1n,
  )
  const rules = carriedInto([sampleRule(1n, octoberYen)], september)
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
    const entry = payableEntry(twoPeriods(), day('2026-11-05'), FINALISING)!
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
    const entry = payableEntry(paymentOf(settled(input), 1n), day('2026-11-05'), FINALISING)!
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
    const said = [accrualEntry(payment, NOTHING_CARRIED, TAXES)!, payableEntry(payment, day('2026-11-05'), FINALISING)!]
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
      const entry = transferEntry({ ...TRANSFER, feeYen }, day('2026-11-30'), percent)
      expect(entry.lines.find(line => line.account === 'bank_fee')).toMatchObject({ amountYen, deductibleTaxYen })
    },
  )

  test('an entry that does not balance says by how much: positive when the debits are more', () => {
    const entry = transferEntry(TRANSFER, day('2026-11-30'), 10)
    const without = (account: string) => ({ ...entry, lines: entry.lines.filter(line => line.account !== account) })
    expect(imbalanceYen(without('withholding_payable'))).toBe(307n)
    expect(imbalanceYen(without('payable'))).toBe(-3_316n)
  })

  test('settlement: platform bears the fee, withholding is owed to the tax office', () => {
    const entry = transferEntry(TRANSFER, day('2026-11-30'), 10)
    expect(imbalanceYen(entry)).toBe(0n)
    expect(entry.lines.map(line => [line.side, line.account, line.amountYen + line.deductibleTaxYen])).toEqual([
      ['debit', 'payable', 3_316n],
      ['debit', 'bank_fee', 660n],
      ['credit', 'withholding_payable', 307n],
      ['credit', 'bank', 3_009n],
      ['credit', 'bank', 660n],
    ])
  })

  test('settlement: the payee bears the fee', () => {
    const transfer: BookedTransfer = { ...TRANSFER, feeBorneByPayeeYen: 660n, transferAmountYen: 2_349n }
    const entry = transferEntry(transfer, day('2026-11-30'), 10)
    expect(imbalanceYen(entry)).toBe(0n)
    expect(entry.lines.map(line => line.account)).toEqual(['payable', 'withholding_payable', 'bank', 'bank'])
  })

  test('a transfer without withholding and fee has no lines of nothing, neither when it is sent nor when it comes back', () => {
    const transfer = { ...TRANSFER, withholdingYen: 0n, feeYen: 0n, transferAmountYen: 3_316n }
    const linesOf = (entry: ReturnType<typeof transferEntry>) => entry.lines.map(line => [line.side, line.account])
    expect(linesOf(transferEntry(transfer, day('2026-11-30'), 10))).toEqual([
      ['debit', 'payable'],
      ['credit', 'bank'],
    ])
    expect(linesOf(returnEntry(transfer, day('2026-12-02'), 10))).toEqual([
      ['debit', 'bank'],
      ['credit', 'payable'],
    ])
  })

  test.each([0n, 660n])(
    'a transfer that comes back is owed again; the payee bore %d yen of the fee',
    feeBorneByPayeeYen => {
      const transfer = { ...TRANSFER, feeBorneByPayeeYen, transferAmountYen: 3_009n - feeBorneByPayeeYen }
      const entries = [transferEntry(transfer, day('2026-11-30'), 10), returnEntry(transfer, day('2026-12-02'), 10)]
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
      expect([moved('payable'), moved('withholding_payable'), moved('bank_fee'), moved('bank')]).toEqual([
        0n,
        0n,
        660n,
        -660n,
      ])
    },
  )

  test('a clawback month turns the accrual round; nothing accrues from nothing', () => {
    const adjustments = [sampleAdjustment(1n, 1n, -35_000n)]
    const negative = paymentOf(
      settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 20_000n)])], adjustments })),
      1n,
    )
    const entry = accrualEntry(negative, NOTHING_CARRIED, TAXES)!
    expect(entry.on).toBe('2026-06-30')
    expect(entry.lines.map(line => [line.side, line.account, line.amountYen])).toEqual([
      ['debit', 'accrued_cost', 15_000n],
      ['credit', 'publisher_cost', 15_000n],
    ])
    expect(payableEntry(negative, day('2026-07-05'), FINALISING)).toBeNull()
    const nothing = paymentOf(
      settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 0n)])] })),
      1n,
    )
    expect(accrualEntry(nothing, NOTHING_CARRIED, TAXES)).toBeNull()
  })

  test('freee and Money Forward: columns, balanced rows, categories', () => {
    const entries = [
      payableEntry(twoPeriods(), day('2026-11-05'), FINALISING)!,
      transferEntry(TRANSFER, day('2026-11-30'), 10),
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

  test.each<readonly [string, InputTaxTimingOf]>([
    ['when payments are final', FINALISING],
    ['at the accrual', () => 'accrual'],
    ['at the accrual of months from 2026 on', month => (month >= 202601 ? 'accrual' : 'finalising')],
  ])('I20: accrued costs are released by what is paid, over any months; tax booked %s', (_name, timingOf) => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        let input: ReturnType<typeof followingMonth> = withReturnsPerRate(randomMonth(seed))
        for (let step = 1; input && step <= 4; step += 1) {
          const month = settled(input)
          const taxes = { timingOf, taxTable: input.taxTable, deductionTable: input.deductionTable }
          const balanceYen = (buckets: readonly GeneratedBucket[]) =>
            sumBy(mergeBuckets(buckets), ({ generatedMonth, amountYen }) => {
              const rate = BigInt(taxRatePercentOf(taxes.taxTable, generatedMonth))
              return amountYen + (timingOf(generatedMonth) === 'accrual' ? (amountYen * rate) / 100n : 0n)
            })
          for (const payment of month.payments) {
            const agreement = input.agreements.find(each => each.agreementId === payment.agreementId)!
            const carried = agreement.rules.flatMap(rule => rule.carried)
            const left = payment.publishers.flatMap(publisher => publisher.nextCarried)
            const entries = [
              accrualEntry(payment, agreement, taxes),
              payableEntry(payment, day('2026-11-05'), timingOf),
            ].filter(each => each !== null)
            for (const entry of entries) {
              expect(imbalanceYen(entry)).toBe(0n)
              for (const line of entry.lines) {
                expect(line.amountYen + line.deductibleTaxYen + line.nonDeductibleTaxYen).toBeGreaterThan(0n)
              }
            }
            const movedYen = sumBy(
              entries.flatMap(entry => entry.lines),
              line =>
                line.account !== 'accrued_cost' ? 0n : line.side === 'credit' ? line.amountYen : -line.amountYen,
            )
            // The account's balance is the carried amount with the tax booked with it.
            expect(balanceYen(carried) + movedYen).toBe(balanceYen(left))
          }
          const next = followingMonth(seed + step, input, month)
          input = next && withReturnsPerRate(next)
        }
      }),
    )
  })

  test('tax booked at the accrual: by the month, and the yen of rounding when it is paid', () => {
    const atAccrual: AccrualTaxes = { ...TAXES, timingOf: () => 'accrual' }
    const rowsOf = (entry: JournalEntry | null) =>
      journalTable('generic', [entry!], CHART).rows.map(row => [row[3], row[4], row[5], row[6], row[7]])
    const october = twoPeriods()
    const before = {
      qualifiedMonths: [],
      rules: [{ carried: [{ generatedMonth: 202609 as YearMonth, amountYen: 1_005n }] }],
    }
    expect(rowsOf(accrualEntry(october, before, atAccrual))).toEqual([
      ['借方', '支払報酬料', '2010', '課対仕入(控70)10%', '2026-10'],
      ['借方', '仮払消費税', '140', '課対仕入(控70)10%', '2026-10'],
      ['借方', '租税公課', '61', '課対仕入(控70)10%', '2026-10'],
      ['貸方', '未払費用', '2211', '対象外', ''],
    ])
    // Tax: 100 for September, 201 for October, 301 for both.
    expect(rowsOf(payableEntry(october, day('2026-11-05'), () => 'accrual'))).toEqual([
      ['借方', '未払費用', '3316', '対象外', ''],
      ['貸方', '未払金', '3316', '対象外', ''],
    ])
    // Tax: 100 for each month, 201 for both. The extra yen goes to September, where it is not deductible.
    expect(rowsOf(payableEntry(twoPeriods(1_005n), day('2026-11-05'), () => 'accrual'))).toEqual([
      ['借方', '未払費用', '2210', '対象外', ''],
      ['借方', '租税公課', '1', '対象外', ''],
      ['貸方', '未払金', '2211', '対象外', ''],
    ])
    // Five yen of September are taken back; its tax stays 100.
    const openBuckets = [
      { generatedMonth: 202609 as YearMonth, amountYen: 1_000n },
      { generatedMonth: 202610 as YearMonth, amountYen: 2_010n },
    ]
    const corrected = {
      ...october,
      manualAdjustmentRevenueYen: -5n,
      publishers: october.publishers.map(each => ({ ...each, openBuckets })),
    }
    expect(rowsOf(accrualEntry(corrected, before, atAccrual))).toEqual([
      ['借方', '未払費用', '5', '対象外', ''],
      ['借方', '支払報酬料', '2010', '課対仕入(控70)10%', '2026-10'],
      ['借方', '仮払消費税', '140', '課対仕入(控70)10%', '2026-10'],
      ['借方', '租税公課', '61', '課対仕入(控70)10%', '2026-10'],
      ['貸方', '支払報酬料', '5', '課対仕入(控80)10%', '2026-09'],
      ['貸方', '未払費用', '2211', '対象外', ''],
    ])
    // The payee is registered in October; September still keeps its 80 %.
    const registered = { ...corrected, qualifiedInvoiceIssuer: true }
    const since = { ...before, qualifiedMonths: [202610 as YearMonth] }
    const lines = accrualEntry(registered, since, atAccrual)!.lines.filter(line => line.generatedMonth !== null)
    expect(lines.map(line => [line.generatedMonth, line.taxCategory])).toEqual([
      [202610, { kind: 'taxable_purchase', ratePercent: 10, deductiblePercent: 100 }],
      [202609, { kind: 'taxable_purchase', ratePercent: 10, deductiblePercent: 80 }],
    ])
  })
})
