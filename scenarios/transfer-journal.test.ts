import { sumBy } from '@pc/domain/money/yen.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Invariant } from '@pc/domain/settlement/violation.ts'
import { csvTable, exportJournal, type JournalRequest } from '@pc/features/payments/transfers/server/export-journal.ts'
import { importTransferResult } from '@pc/features/payments/transfers/server/import-transfer-result.ts'
import { markPaid, markReturned } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { readWithholdingMonths } from '@pc/features/payments/transfers/server/withholding-months.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { holdRulesFrom } from '@pc/testing/books/settlement-books.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted, codes, MONTHS, startTransferFixture } from './transfer-fixture.ts'

/** The journal of transfers: its exports, and that nobody changes it unnoticed. */
const { tested, clock, actor, inBooks, paymentOf, violations, sendBatch, marked, close } = await startTransferFixture()
afterAll(close)

let unanswered: Awaited<ReturnType<typeof readWithholdingMonths>>
beforeAll(async () => {
  await sendBatch()
  clock.set('2026-08-03T12:00:00+09:00')
  unanswered = await inBooks(tx => readWithholdingMonths(tx, 2026))
  const answer = await marked({ 4: '0', 5: '0', 6: '8' })
  accepted(await inBooks(tx => importTransferResult(tx, actor, answer)))
  const { id } = await paymentOf(5n)
  accepted(await inBooks(tx => markPaid(tx, actor, [id], day('2026-08-03'))))
})

test('what a spreadsheet would run as a formula is a text in every cell', () => {
  for (const text of ['=1', '+1', '-1', '@a', '|cmd', '%x', '−1', '＝1', ' =1', '\u200b=1'])
    expect(csvTable([['a', text]]), text).toContain(`'${text}`)
  expect(csvTable([['100', 'みなと新聞']])).toBe('100,みなと新聞\r\n')
})

describe('journal', () => {
  const read = async (parts: Partial<JournalRequest>) => {
    const wanted: JournalRequest = { month: MONTHS[0]!, scope: 'close', format: 'generic', encoding: 'utf8', ...parts }
    return accepted(await inBooks(tx => exportJournal(tx, wanted)))
  }
  const rowsOf = (bytes: Uint8Array) =>
    new TextDecoder()
      .decode(bytes)
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split(','))

  test('balances by entry and in total, and the payables are the statements', async () => {
    for (const scope of ['close', 'settlement'] as const) {
      const rows = rowsOf((await read({ scope, month: scope === 'close' ? MONTHS[0]! : MONTHS[1]! })).bytes)
      expect(rows.length).toBeGreaterThan(4)
      for (const entry of Map.groupBy(rows, row => row[0]).values()) {
        const sum = (side: string) => sumBy(entry, row => (row[3] === side ? BigInt(row[5]!) : 0n))
        expect(sum('借方')).toBe(sum('貸方'))
      }
    }
    const rows = rowsOf((await read({})).bytes)
    const payableYen = sumBy(rows, row => (row[4] === '未払金' && row[3] === '貸方' ? BigInt(row[5]!) : 0n))
    const statements = await inBooks(tx =>
      tx.selectFrom('monthlyPayments').select('paymentIncludingTaxYen').where('month', '=', MONTHS[0]!).execute(),
    )
    expect(payableYen).toBe(sumBy(statements, row => row.paymentIncludingTaxYen))
    expect(rows.map(row => row[6])).toContain('課対仕入(控80)10%')
  })

  test('with tax booked at the accrual it balances as well, and the payables stay', async () => {
    const undo = new Error('undo')
    const readBooked = inBooks(async tx => {
      await holdRulesFrom(tx, MONTHS[0]!)
      await tx.updateTable('paymentSettings').set({ inputTaxTiming: 'accrual' }).execute()
      const wanted: JournalRequest = { month: MONTHS[0]!, scope: 'close', format: 'generic', encoding: 'utf8' }
      const rows = rowsOf(accepted(await exportJournal(tx, wanted)).bytes)
      const sumOf = (stage: string, account: string, side: string) =>
        sumBy(rows, row => (row[2] === stage && row[4] === account && row[3] === side ? BigInt(row[5]!) : 0n))
      for (const entry of Map.groupBy(rows, row => row[0]).values()) {
        const sum = (side: string) => sumBy(entry, row => (row[3] === side ? BigInt(row[5]!) : 0n))
        expect(sum('借方')).toBe(sum('貸方'))
      }
      expect(sumOf('発生', '仮払消費税', '借方')).toBeGreaterThan(0n)
      expect(sumOf('確定', '支払報酬料', '借方')).toBe(0n)
      throw Object.assign(undo, { payableYen: sumOf('確定', '未払金', '貸方') })
    })
    await expect(readBooked).rejects.toBe(undo)
    const rows = rowsOf((await read({})).bytes)
    const payableYen = sumBy(rows, row => (row[4] === '未払金' && row[3] === '貸方' ? BigInt(row[5]!) : 0n))
    expect(undo).toMatchObject({ payableYen })
  })

  test('the same bytes again, in both encodings and every format', async () => {
    for (const format of ['generic', 'freee', 'money_forward'] as const) {
      const utf8 = await read({ format })
      expect(Buffer.from(utf8.bytes.subarray(0, 3))).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
      expect(Buffer.from((await read({ format })).bytes).equals(Buffer.from(utf8.bytes))).toBe(true)
      const cp932 = await read({ format, encoding: 'cp932' })
      expect(new TextDecoder('shift_jis', { fatal: true }).decode(cp932.bytes)).toBe(
        new TextDecoder().decode(utf8.bytes),
      )
    }
    const missing = await inBooks(tx =>
      exportJournal(tx, { month: 202609 as YearMonth, scope: 'close', format: 'freee', encoding: 'utf8' }),
    )
    expect(codes(missing)).toEqual(['journal/month-not-final'])
    // Nothing was paid, so no file with a header alone is made.
    const idle = { month: 202605 as YearMonth, scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
    expect(codes(await inBooks(tx => exportJournal(tx, idle)))).toEqual(['journal/no-entries'])
  })
})

test('what is withheld is payable after the month of the payment, unless it came back before', async () => {
  const months = (year = 2026) => inBooks(tx => readWithholdingMonths(tx, year))
  const before = await months()
  expect(before).toHaveLength(24)
  const [forResidents, forOthers] = [before.slice(0, 12), before.slice(12)]
  expect(new Set(forResidents.map(each => each.residence))).toEqual(new Set(['resident']))
  expect(forOthers.every(each => each.residence === 'non_resident' && each.payees === 0n)).toBe(true)
  // Of 1,500,000 yen: 10.21 % of the first million, 20.42 % of the rest. 10 August 2026 is a Monday.
  const july = { payees: 1n, paymentYen: 1_500_000n, withholdingYen: 204_200n, payableOn: '2026-08-10' }
  expect(before[6]).toMatchObject({ month: 202607, ...july, taxes: expect.stringContaining('復興特別所得税') })
  expect(before.filter(each => each.withholdingYen !== 0n)).toHaveLength(1)
  // 10 October 2026 is a Saturday, the 12th a holiday.
  expect(before[8]).toMatchObject({ month: 202609, payees: 0n, payableOn: '2026-10-13' })
  expect(unanswered[6], 'before the bank has told').toMatchObject({ withholdingYen: 0n, unsettled: 1n })
  expect(before[6]).toMatchObject({ unsettled: 0n })
  const undo = new Error('undo')
  const nothing = { payees: 0n, paymentYen: 0n, withholdingYen: 0n }
  const whenReturned = (
    on: string,
    expected: readonly [july: object, august: object, september: object],
    year = 2026,
  ) => {
    clock.set(`${on}T12:00:00+09:00`)
    return expect(
      inBooks(async tx => {
        accepted(await markReturned(tx, actor, [(await paymentOf(3n)).id], '口座解約'))
        expect((await readWithholdingMonths(tx, year)).slice(6, 9)).toMatchObject(expected)
        throw undo
      }),
    ).rejects.toBe(undo)
  }
  await whenReturned('2026-08-10', [nothing, { ...nothing, returnedYen: 0n }, nothing])
  await whenReturned('2026-08-11', [july, { ...nothing, returnedYen: 204_200n }, nothing])
  await whenReturned('2026-09-01', [july, { ...nothing, returnedYen: 0n }, { ...nothing, returnedYen: 204_200n }])
  await whenReturned('2027-08-02', [nothing, { ...nothing, returnedYen: 204_200n }, nothing], 2027)
  clock.set('2026-08-03T12:00:00+09:00')
  const other = await months(2027)
  expect(other.every(each => each.withholdingYen === 0n)).toBe(true)
  expect(other[0]?.taxes).toContain('防衛特別所得税')
})

/** A superuser changes rows behind the program's back; the checks find it. */
describe('deliberate corruption', () => {
  beforeAll(() =>
    withClient(tested.adminUrl, async client => {
      for (const table of [
        'transfers',
        'transfer_payments',
        'transfer_batches',
        'monthly_payments',
        'monthly_tax_lines',
        'monthly_paid_buckets',
      ]) {
        await client.query(`alter table ${table} disable trigger user`)
        const { rows } = await client.query<{ name: string }>(
          "select conname as name from pg_constraint where contype = 'c' and conrelid = $1::regclass",
          [table],
        )
        for (const { name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
      }
      await client.query('drop index transfer_payments_one_live')
    }),
  )
  const CORRUPTIONS: readonly (readonly [Invariant, string, string])[] = [
    [
      'I19',
      'update transfers set transfer_amount_yen = transfer_amount_yen + 1 where id = 5',
      'update transfers set transfer_amount_yen = transfer_amount_yen - 1 where id = 5',
    ],
    [
      'I19',
      'update transfers set withholding_yen = withholding_yen - 1, transfer_amount_yen = transfer_amount_yen + 1 where id = 5',
      'update transfers set withholding_yen = withholding_yen + 1, transfer_amount_yen = transfer_amount_yen - 1 where id = 5',
    ],
    [
      'I19',
      "update transfers set account_number = '7777777' where id = 5",
      "update transfers set account_number = '1234567' where id = 5",
    ],
    ['I19', "update transfers set holder = 'ｼﾞﾌﾞﾝ' where id = 5", "update transfers set holder = 'ｶ)ﾄﾘﾋｷ' where id = 5"],
    [
      'I19',
      'update transfer_payments set is_live = false where transfer_id = 5',
      'update transfer_payments set is_live = true where transfer_id = 5',
    ],
    [
      'I19',
      'update transfer_payments set is_live = true where transfer_id = 2',
      'update transfer_payments set is_live = false where transfer_id = 2',
    ],
    [
      'I19',
      "update monthly_payments set payment_status = 'exported', paid_on = null, paid_at_month = null where agreement_id = 3 and month = 202606",
      "update monthly_payments set payment_status = 'paid', paid_on = '2026-07-31', paid_at_month = 202607 where agreement_id = 3 and month = 202606",
    ],
    [
      'I20',
      'update monthly_tax_lines set tax_yen = tax_yen + 1 where month = 202606',
      'update monthly_tax_lines set tax_yen = tax_yen - 1 where month = 202606',
    ],
    [
      'I20',
      'update monthly_paid_buckets set deductible_tax_yen = deductible_tax_yen + 1 where month = 202606',
      'update monthly_paid_buckets set deductible_tax_yen = deductible_tax_yen - 1 where month = 202606',
    ],
    [
      'I20',
      'update transfers set withholding_yen = withholding_yen + 1 where id = 5',
      'update transfers set withholding_yen = withholding_yen - 1 where id = 5',
    ],
  ]
  test.each(CORRUPTIONS)('%s: %s', async (invariant, corrupt, restore) => {
    await withClient(tested.adminUrl, async client => {
      expect((await client.query(corrupt)).rowCount).toBeGreaterThan(0)
    })
    const found = await violations()
    expect(found.map(each => each.invariant)).toContain(invariant)
    expect(found.every(each => each.row !== '' && each.detail !== '')).toBe(true)
    await withClient(tested.adminUrl, client => client.query(restore))
    expect(await violations()).toEqual([])
  })
})
