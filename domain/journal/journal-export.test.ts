import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STANDARD_CHART_OF_ACCOUNTS } from './chart-of-accounts.ts'
import { type JournalEntry, type JournalLine, OUTSIDE } from './journal-entry.ts'
import { journalTable, taxCategoryText } from './journal-export.ts'

function line(
  side: JournalLine['side'],
  account: JournalLine['account'],
  amountYen: bigint,
  more: Partial<JournalLine> = {},
) {
  const none = { deductibleTaxYen: 0n, nonDeductibleTaxYen: 0n, taxCategory: OUTSIDE, generatedMonth: null }
  return { side, account, amountYen, ...none, ...more }
}
const purchase = (deductiblePercent: number, ratePercent = 10) =>
  ({ kind: 'taxable_purchase', ratePercent, deductiblePercent }) as const

/** Costs of three months: of a qualified issuer, and 80 % and 70 % deductible of one that is not. */
const PAYABLE: JournalEntry = {
  stage: 'payable',
  on: day('2026-11-05'),
  reference: 'payment:7',
  partnerName: '取引先1',
  description: '2026年10月分',
  lines: [
    line('debit', 'publisher_cost', 1_000n, {
      ...{ deductibleTaxYen: 100n, taxCategory: purchase(100), generatedMonth: 202608 as YearMonth },
    }),
    line('debit', 'publisher_cost', 1_000n, {
      ...{ deductibleTaxYen: 80n, nonDeductibleTaxYen: 20n },
      ...{ taxCategory: purchase(80), generatedMonth: 202609 as YearMonth },
    }),
    line('debit', 'publisher_cost', 2_010n, {
      ...{ deductibleTaxYen: 140n, nonDeductibleTaxYen: 61n },
      ...{ taxCategory: purchase(70), generatedMonth: 202610 as YearMonth },
    }),
    line('credit', 'payable', 4_411n),
  ],
}
const SETTLEMENT: JournalEntry = {
  ...{ stage: 'settlement', on: day('2026-12-30'), reference: 'transfer:42' },
  ...{ partnerName: '取引先1', description: '振込' },
  lines: [line('debit', 'payable', 4_411n), line('credit', 'bank', 4_411n)],
}
const ACCRUAL: JournalEntry = { ...SETTLEMENT, stage: 'accrual', reference: 'accrual:7' }
const table = (format: Parameters<typeof journalTable>[0], ...entries: JournalEntry[]) =>
  journalTable(format, entries, STANDARD_CHART_OF_ACCOUNTS)

test('the words of the tax categories', () => {
  expect([OUTSIDE, purchase(100), purchase(80), purchase(0), purchase(100, 8)].map(taxCategoryText)).toEqual([
    ...['対象外', '課対仕入10%', '課対仕入(控80)10%', '課対仕入(控0)10%', '課対仕入8%'],
  ])
})

describe('the generic table', () => {
  test('has a line for each amount and each tax, numbered by entry from 1', () => {
    const { header, rows } = table('generic', PAYABLE, SETTLEMENT, ACCRUAL)
    expect(header).toEqual([
      ...['伝票番号', '日付', '区分', '貸借', '勘定科目', '金額', '税区分', '発生月', '取引先', '摘要', '参照'],
      ...['補助科目', '部門'],
    ])
    const payable = (side: string, account: string, amount: string, category: string, month: string) => [
      ...['1', '2026-11-05', '確定', side, account, amount, category, month, '取引先1', '2026年10月分', 'payment:7'],
      ...['', ''],
    ]
    const later = (number: string, stage: string, side: string, account: string, reference: string) => [
      ...[number, '2026-12-30', stage, side, account, '4411', '対象外', '', '取引先1', '振込', reference, '', ''],
    ]
    expect(rows).toEqual([
      payable('借方', '支払報酬料', '1000', '課対仕入10%', '2026-08'),
      payable('借方', '仮払消費税', '100', '課対仕入10%', '2026-08'),
      payable('借方', '支払報酬料', '1000', '課対仕入(控80)10%', '2026-09'),
      payable('借方', '仮払消費税', '80', '課対仕入(控80)10%', '2026-09'),
      payable('借方', '租税公課', '20', '課対仕入(控80)10%', '2026-09'),
      payable('借方', '支払報酬料', '2010', '課対仕入(控70)10%', '2026-10'),
      payable('借方', '仮払消費税', '140', '課対仕入(控70)10%', '2026-10'),
      payable('借方', '租税公課', '61', '課対仕入(控70)10%', '2026-10'),
      payable('貸方', '未払金', '4411', '対象外', ''),
      later('2', '支払', '借方', '未払金', 'transfer:42'),
      later('2', '支払', '貸方', '普通預金', 'transfer:42'),
      later('3', '発生', '借方', '未払金', 'accrual:7'),
      later('3', '発生', '貸方', '普通預金', 'accrual:7'),
    ])
  })
})

test('freee: amounts with tax, what is deductible beside them, the code only where it is known', () => {
  const { header, rows } = table('freee', PAYABLE, SETTLEMENT)
  const side = (name: string) =>
    ['勘定科目', '税区分', '税区分コード', '金額', '税額', '取引先', '品目', '部門'].map(each => name + each)
  expect(header).toEqual(['伝票番号', '日付', ...side('借方'), ...side('貸方'), '摘要', '管理番号'])
  const none = ['', '', '', '', '', '', '', '']
  const first = (debit: string[], credit: string[]) => [
    ...['1', '2026/11/05', ...debit, ...credit, '2026年10月分', 'payment:7'],
  ]
  const second = (debit: string[], credit: string[]) => [
    ...['2', '2026/12/30', ...debit, ...credit, '振込', 'transfer:42'],
  ]
  const outside = (account: string) => [account, '対象外', '', '4411', '0', '取引先1', '', '']
  expect(rows).toEqual([
    first(['支払報酬料', '課対仕入10%', '', '1100', '100', '取引先1', '', ''], none),
    first(['支払報酬料', '課対仕入(控80)10%', '', '1100', '80', '取引先1', '', ''], none),
    first(['支払報酬料', '課対仕入(控70)10%', '234', '2211', '140', '取引先1', '', ''], none),
    first(none, outside('未払金')),
    second(outside('未払金'), none),
    second(none, outside('普通預金')),
  ])
})

test('Money Forward: 27 columns, the invoice beside the rate, nothing in what it writes itself', () => {
  const { header, rows } = table('money_forward', PAYABLE, SETTLEMENT)
  const side = (name: string) =>
    ['勘定科目', '補助科目', '部門', '取引先', '税区分', 'インボイス', '金額(円)', '税額'].map(each => name + each)
  expect(header.slice(0, 20)).toEqual(['取引No', '取引日', ...side('借方'), ...side('貸方'), '摘要', '仕訳メモ'])
  expect(header).toHaveLength(27)
  const none = ['', '', '', '', '', '', '', '']
  const own = ['', '', '', '', '', '', '']
  const first = (debit: string[], credit: string[]) => [
    ...['1', '2026/11/05', ...debit, ...credit, '2026年10月分', 'payment:7', ...own],
  ]
  const second = (debit: string[], credit: string[]) => [
    ...['2', '2026/12/30', ...debit, ...credit, '振込', 'transfer:42', ...own],
  ]
  const cost = (invoice: string, amount: string, tax: string) => [
    ...['支払報酬料', '', '', '取引先1', '課税仕入 10%', invoice, amount, tax],
  ]
  const outside = (account: string) => [account, '', '', '取引先1', '対象外', '', '4411', '0']
  expect(rows).toEqual([
    first(cost('適格', '1100', '100'), none),
    first(cost('80%控除', '1100', '80'), none),
    first(cost('70%控除', '2211', '140'), none),
    first(none, outside('未払金')),
    second(outside('未払金'), none),
    second(none, outside('普通預金')),
  ])
})

test('sub-accounts and departments of the accounts are in each format, also of the taxes', () => {
  const chart = {
    ...STANDARD_CHART_OF_ACCOUNTS,
    publisher_cost: { name: '外注費', subAccount: '記事', department: '編集部' },
    input_tax: { name: '仮払消費税', subAccount: '', department: '編集部' },
    payable: { name: '未払金', subAccount: 'パブリッシャー', department: '' },
  }
  const first = (format: Parameters<typeof journalTable>[0]) => {
    const { header, rows } = journalTable(format, [PAYABLE], chart)
    const at = (row: readonly string[], name: string) => row[header.indexOf(name)]
    return { rows, at }
  }
  const generic = first('generic')
  expect(
    generic.rows
      .slice(0, 2)
      .map(row => [generic.at(row, '勘定科目'), generic.at(row, '補助科目'), generic.at(row, '部門')]),
  ).toEqual([
    ['外注費', '記事', '編集部'],
    ['仮払消費税', '', '編集部'],
  ])
  const freee = first('freee')
  expect([freee.at(freee.rows[0]!, '借方品目'), freee.at(freee.rows[0]!, '借方部門')]).toEqual(['記事', '編集部'])
  expect(freee.at(freee.rows[3]!, '貸方品目')).toBe('パブリッシャー')
  const forward = first('money_forward')
  expect([forward.at(forward.rows[0]!, '借方補助科目'), forward.at(forward.rows[0]!, '借方部門')]).toEqual([
    '記事',
    '編集部',
  ])
})
