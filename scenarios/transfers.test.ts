import fs from 'node:fs'
import { fromJisX0201, toJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { parseZenginFile } from '@pc/domain/bank/zengin-record.ts'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { EXPLAIN_SCALE, unbalancedNodes } from '@pc/domain/payment/explain-node.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/payment/sample-month.ts'
import type { Invariant } from '@pc/domain/payment/violation.ts'
import { monthViolations } from '@pc/features/payments/server/check-month.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { createTransferBatch } from '@pc/features/payments/server/create-transfer-batch.ts'
import { explainSentTransfer } from '@pc/features/payments/server/explain-transfer.ts'
import { exportJournal, type JournalRequest } from '@pc/features/payments/server/export-journal.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
  readExportedFile,
} from '@pc/features/payments/server/export-transfer-batch.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import { importTransferResult, previewTransferResult } from '@pc/features/payments/server/import-transfer-result.ts'
import { markPaid, markReturned } from '@pc/features/payments/server/mark-payments.ts'
import { planBatch, type TransferRequest } from '@pc/features/payments/server/plan-transfers.ts'
import { settleTransfers } from '@pc/features/payments/server/settle-transfers.ts'
import { listTransfers, payableDays, unpaidReasons } from '@pc/features/payments/server/transfer-store.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { settlementBooks, writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { writeTransferSettings } from '@pc/testing/transfer-books.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Two finalised months on their way to the payees, step by step; every test goes on where the one before ended. */
const tested = await testDatabase({ maxConnections: 12 })
const stats = await openTestDuckDb()
const { database } = tested
const books = await settlementBooks(database, stats.store)
const { clock } = books.payments
afterAll(async () => {
  await stats.drop()
  await tested.drop()
})

const MONTHS = [202606, 202607] as YearMonth[]
const desk = { clock, actorUid: books.userUid }
/** As mutations do it: what is refused is rolled back. */
async function inBooks<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  let answer: T
  const undone = new Error('refused')
  try {
    return await database.inScope(SYSTEM, async tx => {
      answer = await work(tx)
      if (typeof answer === 'object' && answer !== null && 'ok' in answer && !answer.ok) throw undone
      return answer
    })
  } catch (error) {
    if (error === undone) return answer!
    throw error
  }
}

/** Of one organisation each, if nothing else is said; 1 and 2 share organisation and account. */
const agreements = [
  sampleAgreement(1n, [sampleRule(101n, 100_000n)]),
  sampleAgreement(2n, [sampleRule(201n, 50_005n)], { accounts: [{ bankAccountId: 9001n, usedFromMonth: MONTHS[0]! }] }),
  sampleAgreement(3n, [sampleRule(301n, 1_500_000n)], { organizationId: 3n }),
  sampleAgreement(4n, [sampleRule(401n, 20_000n)], { organizationId: 4n, terms: { feePaidBy: 'publisher' } }),
  sampleAgreement(5n, [sampleRule(501n, 300n)], { organizationId: 5n, terms: { feePaidBy: 'publisher' } }),
  sampleAgreement(6n, [sampleRule(601n, 900n)], { organizationId: 6n, terms: { payoutThresholdYen: 5_000n } }),
]

beforeAll(async () => {
  await inBooks(async tx => {
    await writeSettings(tx, {
      settings: { payoutThresholdYen: 1n, businessDayShift: 'previous' },
      taxTable: STANDARD_TAX_TABLE,
    })
    await writeTransferSettings(tx)
    await writeAgreements(tx, [{ mediumId: 1n, agreements }])
    await tx.updateTable('agreements').set({ payeeKind: 'individual' }).where('id', '=', 3n).execute()
  })
  for (const [index, month] of MONTHS.entries()) {
    await writeOwnAds(stats.store, [sampleMonth(month, { agreements })], BigInt(index + 1))
    clock.set(`2026-0${7 + index}-10T12:00:00+09:00`)
    const key = { mediumId: 1n, month }
    expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
    expect(await finalizeMonth(books.payments, key, books.userUid)).toMatchObject({ ok: true })
  }
  clock.set('2026-07-20T12:00:00+09:00')
})

const JULY = day('2026-07-31')
const request = (parts: Partial<TransferRequest> = {}): TransferRequest => ({
  dueOn: JULY,
  transferOn: JULY,
  excludedPaymentIds: [],
  accounts: new Map(),
  ...parts,
})
const paymentOf = (agreementId: bigint, month = 202606) =>
  inBooks(tx =>
    tx
      .selectFrom('monthlyPayments')
      .selectAll()
      .where('agreementId', '=', agreementId)
      .where('month', '=', month)
      .executeTakeFirstOrThrow(),
  )
const violations = async () =>
  (
    await Promise.all(MONTHS.map(month => monthViolations({ database, stats: stats.store }, { mediumId: 1n, month })))
  ).flat()
const accepted = <T>(result: { ok: true; value: T } | { ok: false; refusals: readonly unknown[] }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.refusals))
  return result.value
}
const codes = (result: { ok: boolean; refusals?: readonly { code: string }[] }) =>
  result.ok ? [] : (result.refusals ?? []).map(each => each.code)

describe('what can be paid', () => {
  test('is shown by due day, with the reasons why something is not', async () => {
    expect(await inBooks(tx => payableDays(tx, clock))).toMatchObject([
      { dueOn: '2026-07-31', transferOn: '2026-07-31', payments: 5, isLate: false },
      { dueOn: '2026-08-31', transferOn: '2026-08-31', payments: 5 },
    ])
    expect(await inBooks(unpaidReasons)).toEqual([{ reason: 'BELOW_THRESHOLD', payments: 1n, carriedYen: 1_800n }])
  })

  test('a payee whose fee eats the payment is named, and nothing is made', async () => {
    const refused = await inBooks(tx => createTransferBatch(tx, desk, request(), undefined))
    expect(refused).toMatchObject({
      ok: false,
      refusals: [{ code: 'transfer/amount-not-positive', data: { payee: '組織5', amountYen: '-110' } }],
    })
    const plan = accepted(await inBooks(tx => planBatch(tx, clock, request())))
    expect(plan.problems.map(each => each.payee)).toEqual(['組織5'])
    expect(plan.transfers).toHaveLength(3)
  })

  test.each([
    ['transfer/day-past', { transferOn: day('2026-07-17') }],
    ['transfer/day-not-business', { transferOn: day('2026-08-01') }],
    ['payment/holidays-unknown', { transferOn: day('2041-08-01') }],
    ['transfer/nothing-to-pay', { months: [202605 as YearMonth] }],
    ['transfer/nothing-to-pay', { mediumIds: [77n] }],
    ['transfer/account-not-usable', { accounts: new Map([[1n, 9003n]]) }],
  ])('%s', async (code, parts) => {
    expect(codes(await inBooks(tx => planBatch(tx, clock, request(parts))))).toEqual([code])
  })

  test('without the account that the money leaves there are no transfers', async () => {
    const answer = await inBooks(async tx => {
      await tx.deleteFrom('transferSources').execute()
      const planned = await planBatch(tx, clock, request())
      await writeBack(tx)
      return planned
    })
    expect(codes(answer)).toEqual(['transfer/source-missing'])
  })
})

/** Settings as they were; fees are there already. */
async function writeBack(tx: Transaction) {
  await tx.deleteFrom('transferFees').execute()
  await writeTransferSettings(tx)
}

describe('making and exporting', () => {
  let tiny: bigint
  test('50 at the same time make one batch', async () => {
    tiny = (await paymentOf(5n)).id
    const wanted = request({ excludedPaymentIds: [tiny] })
    const plan = accepted(await inBooks(tx => planBatch(tx, clock, wanted)))
    const other = await inBooks(tx => createTransferBatch(tx, desk, wanted, 'another hash'))
    expect(codes(other)).toEqual(['transfer/preview-outdated'])
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => inBooks(tx => createTransferBatch(tx, desk, wanted, plan.hash))),
    )
    expect(answers.filter(answer => answer.ok)).toMatchObject([{ value: { transfers: 3, payments: 4 } }])
    expect(new Set(answers.flatMap(codes))).toEqual(new Set(['transfer/nothing-to-pay']))
    expect(await violations()).toEqual([])
  }, 60_000)

  test('the amounts: one transfer for one account, tax withheld, fee as agreed', async () => {
    const { nodes } = await inBooks(tx => listTransfers(tx, 1n, { limit: 10, offset: 0 }))
    for (const { id, payments, transferAmountYen } of nodes) {
      const explained = await explainSentTransfer({ database }, id, undefined)
      expect(explained?.node.amount).toBe(transferAmountYen * EXPLAIN_SCALE)
      expect(unbalancedNodes(explained!.node)).toEqual([])
      expect([...explained!.continuations.values()].map(each => each.id)).toEqual(payments.map(each => each.id))
    }
    const amounts = nodes.map(each => [
      each.payments.length,
      each.paymentIncludingTaxYen,
      each.withholdingYen,
      each.feeYen,
      each.feeBorneByPayeeYen,
      each.transferAmountYen,
    ])
    expect(amounts).toEqual([
      [2, 165_005n, 0n, 660n, 0n, 165_005n],
      [1, 1_650_000n, 204_200n, 660n, 0n, 1_445_800n],
      [1, 22_000n, 0n, 440n, 440n, 21_560n],
    ])
    expect(nodes[0]!.accountNumber).toBe('****567')
  })

  test('cancelled before its export it frees its payments', async () => {
    expect(codes(await inBooks(tx => cancelTransferBatch(tx, desk, 1n, ' ')))).toEqual(['transfer/reason-missing'])
    accepted(await inBooks(tx => cancelTransferBatch(tx, desk, 1n, '指定日の誤り')))
    expect(codes(await inBooks(tx => exportTransferBatch(tx, desk, 1n)))[0]).toBe('transfer/state-not-allowed')
    const wanted = request({ excludedPaymentIds: [tiny] })
    expect(accepted(await inBooks(tx => createTransferBatch(tx, desk, wanted, undefined))).id).toBe(2n)
    expect(await violations()).toEqual([])
  })

  test('the file is that of the repository, and every download gives the same bytes', async () => {
    const before = await inBooks(tx => readExportedFile(tx, 2n))
    expect(codes(before)).toEqual(['transfer/not-exported'])
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => inBooks(tx => exportTransferBatch(tx, desk, 2n))),
    )
    expect(answers.map(accepted).filter(each => each.isFirst)).toHaveLength(1)
    const file = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    const golden = new URL('golden/general-transfer.txt', import.meta.url)
    expect(Buffer.from(file.bytes).equals(fs.readFileSync(golden))).toBe(true)
    const parsed = accepted(parseZenginFile(fromJisX0201(file.bytes)!))
    const rows = (await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))).nodes
    expect(parsed.totalYen).toBe(sumBy(rows, row => row.transferAmountYen))
    expect(parsed.totalYen).toBe(
      sumBy(rows, row => row.paymentIncludingTaxYen - row.withholdingYen - row.feeBorneByPayeeYen),
    )
    expect((await paymentOf(1n)).paymentStatus).toBe('exported')
    expect(await violations()).toEqual([])
  }, 60_000)

  test('what is changed afterwards changes no byte', async () => {
    const before = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    await inBooks(async tx => {
      await tx
        .updateTable('agreements')
        .set({ feePaidBy: 'publisher', name: '改名', payeeKind: 'individual' })
        .execute()
      await tx.updateTable('banks').set({ kana: 'ﾍﾞﾂ', name: '別' }).execute()
      await tx.updateTable('organizations').set({ name: '別名' }).execute()
      await tx.updateTable('transferSources').set({ clientCode: '9', accountNumber: '0000001' }).execute()
      await tx.updateTable('transferFees').set({ feeYen: 1n }).execute()
    })
    const after = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    expect(after.sha256).toBe(before.sha256)
    expect(await violations()).toEqual([])
    await inBooks(writeBack)
  })

  test('the walls of the database: nobody is in two transfers, and nothing is rewritten', async () => {
    await withClient(tested.adminUrl, async client => {
      const refused = (statement: string, constraint: string) =>
        expect(client.query(statement), statement).rejects.toMatchObject({ constraint })
      await refused(
        'insert into transfer_payments (transfer_id, monthly_payment_id, payment_yen, payment_including_tax_yen, withholding_yen, fee_borne_by_payee_yen, transfer_amount_yen) select 5, monthly_payment_id, payment_yen, payment_including_tax_yen, withholding_yen, fee_borne_by_payee_yen, transfer_amount_yen from transfer_payments where transfer_id = 4 limit 1',
        'transfer_payments_one_live',
      )
      await refused('update transfers set transfer_amount_yen = transfer_amount_yen + 1', 'transfer_kept')
      await refused("update transfers set state = 'planned'", 'transfer_kept')
      await refused('update transfer_payments set is_live = false where is_live', 'transfer_kept')
      await refused("update transfer_batches set file_sha256 = 'x' where id = 2", 'transfer_kept')
      await refused('delete from transfer_payments', 'transfer_kept')
      await refused('delete from transfers', 'transfer_kept')
      await refused('truncate transfers cascade', 'closed_month')
      await refused(
        'insert into transfers (batch_id, organization_id, bank_account_id, due_on, partner_name, fee_paid_by, payee_kind, payment_yen, payment_including_tax_yen, withholding_yen, fee_yen, fee_borne_by_payee_yen, transfer_amount_yen, bank_code, bank_name, bank_kana, branch_code, branch_name, branch_kana, account_type, account_number, holder, updated_at) select batch_id, organization_id, bank_account_id, due_on, partner_name, fee_paid_by, payee_kind, payment_yen, payment_including_tax_yen, withholding_yen, fee_yen, fee_borne_by_payee_yen, transfer_amount_yen, bank_code, bank_name, bank_kana, branch_code, branch_name, branch_kana, account_type, account_number, holder, updated_at from transfers where id = 4',
        'transfer_sums',
      )
    })
  })
})

describe('what the bank answers', () => {
  const marked = async (marks: Readonly<Record<string, string>>) => {
    const file = accepted(await inBooks(tx => readExportedFile(tx, 2n)))
    const lines = fromJisX0201(file.bytes)!.split('\r\n')
    const text = lines
      .map(line => {
        const mark = line.startsWith('2') ? (marks[String(BigInt(line.slice(91, 101)))] ?? '') : undefined
        return mark === undefined ? line : line.slice(0, 113) + mark.padEnd(7)
      })
      .join('\r\n')
    return { name: 'kekka.txt', content: toJisX0201(text), on: null }
  }
  const statesOf = async () =>
    (await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))).nodes.map(each => each.state)

  test('the future, unknown marks and foreign lines book nothing', async () => {
    const file = await marked({ 4: '0', 5: '7' })
    expect(codes(await inBooks(tx => importTransferResult(tx, desk, file)))).toEqual(['transfer/settled-on-future'])
    clock.set('2026-08-03T12:00:00+09:00')
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.map(row => row.effect)).toEqual(['book', 'unknown', 'unknown'])
    const foreign = {
      name: 'x.csv',
      on: JULY,
      content: Buffer.from('振込番号,振込額,結果\n999,5,支払済\n4,7,支払済\n'),
    }
    const rows = accepted(await inBooks(tx => previewTransferResult(tx, clock, foreign))).rows
    expect(rows.map(row => row.effect)).toEqual(['unknown', 'conflict'])
    expect(codes(await inBooks(tx => importTransferResult(tx, desk, foreign)))).toEqual([
      'transfer/result-not-bookable',
    ])
    const broken = { name: 'x', on: JULY, content: Buffer.from([0xff, 0xff]) }
    expect(codes(await inBooks(tx => previewTransferResult(tx, clock, broken)))).toEqual(['transfer/result-unreadable'])
    expect(await statesOf()).toEqual(['exported', 'exported', 'exported'])
  })

  test('50 at the same time book it once; once more changes nothing', async () => {
    const file = await marked({ 4: '0', 5: '0', 6: '8' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => inBooks(tx => importTransferResult(tx, desk, file))),
    )
    const booked = answers.map(accepted)
    expect(booked.filter(each => each.settled.length > 0)).toMatchObject([{ paid: 2, returned: 1, unknown: 0 }])
    expect(booked.filter(each => each.unchanged === 3)).toHaveLength(49)
    expect(await statesOf()).toEqual(['paid', 'paid', 'returned'])
    expect(await paymentOf(1n)).toMatchObject({ paymentStatus: 'paid', paidOn: '2026-07-31', paidAtMonth: 202607 })
    expect(await paymentOf(4n)).toMatchObject({ paymentStatus: 'returned', paidAtMonth: null })
    const imports = await inBooks(tx => tx.selectFrom('transferResultImports').selectAll().execute())
    expect(imports).toMatchObject([{ paid: 2, returned: 1, unchanged: 0, unknown: 0 }])
    expect(await violations()).toEqual([])
  }, 60_000)

  test('what came back is sent again by people, to another account if they say so', async () => {
    const { id } = await paymentOf(4n)
    await inBooks(async tx => {
      const branch = { bankId: 1n, bankBranchId: 1n, typeName: 'savings', holder: 'ｱﾀﾗｼｲ' }
      await tx
        .insertInto('bankAccounts')
        .values({
          organizationId: 4n,
          ...branch,
          number: '0000042',
          state: 'approved',
          decidedAt: new Date(clock.now()),
        })
        .execute()
    })
    const account = await inBooks(tx =>
      tx.selectFrom('bankAccounts').select('id').where('number', '=', '0000042').executeTakeFirstOrThrow(),
    )
    const later = { transferOn: day('2026-08-05'), excludedPaymentIds: [(await paymentOf(5n)).id] }
    const wrong = request({ ...later, accounts: new Map([[id, 9003n]]) })
    expect(codes(await inBooks(tx => planBatch(tx, clock, wrong)))).toEqual(['transfer/account-not-usable'])
    const right = request({ ...later, accounts: new Map([[id, account.id]]) })
    const made = accepted(await inBooks(tx => createTransferBatch(tx, desk, right, undefined)))
    expect(made).toMatchObject({ transfers: 1, payments: 1, totalYen: 21_560n })
    expect((await paymentOf(4n)).paymentStatus).toBe('scheduled')
    accepted(await inBooks(tx => exportTransferBatch(tx, desk, made.id)))
    const [transfer] = (await inBooks(tx => listTransfers(tx, made.id, { limit: 10, offset: 0 }))).nodes
    expect(transfer).toMatchObject({ holder: 'ｱﾀﾗｼｲ', accountNumber: '****042' })
    clock.set('2026-08-06T12:00:00+09:00')
    const settle = (outcome: 'paid' | 'returned', on: string, reason = '銀行の画面で確認') =>
      inBooks(tx => settleTransfers(tx, desk, [transfer!.id], { outcome, on: day(on), reason, by: 'hand' }))
    expect(codes(await settle('paid', '2026-08-05', ' '))).toEqual(['transfer/reason-missing'])
    expect(codes(await settle('paid', '2026-08-04'))).toEqual(['transfer/paid-too-early'])
    accepted(await settle('paid', '2026-08-05'))
    expect(codes(await settle('paid', '2026-08-05'))).toEqual(['transfer/state-not-allowed'])
    expect(codes(await settle('returned', '2026-08-04'))).toEqual(['transfer/returned-before-paid'])
    expect(await violations()).toEqual([])
  })
})

describe('without a bank file', () => {
  test('a payment that was paid by hand has a transfer of its own, and the month ends', async () => {
    const { id } = await paymentOf(5n)
    const other = await paymentOf(1n)
    expect(codes(await inBooks(tx => markPaid(tx, desk, [other.id], day('2026-08-05'))))).toEqual([
      'payment/status-not-allowed',
    ])
    accepted(await inBooks(tx => markPaid(tx, desk, [id], day('2026-08-05'))))
    const state = await inBooks(tx =>
      tx.selectFrom('monthStates').select('state').where('month', '=', 202606).executeTakeFirstOrThrow(),
    )
    expect(state.state).toBe('paid')
    expect(await violations()).toEqual([])
  })

  test('one payment of a transfer does not come back alone', async () => {
    const first = await paymentOf(1n)
    const second = await paymentOf(2n)
    expect(codes(await inBooks(tx => markReturned(tx, desk, [first.id], '口座なし')))).toEqual([
      'transfer/returned-with-others',
    ])
    accepted(await inBooks(tx => markReturned(tx, desk, [first.id, second.id], '口座なし')))
    expect(await violations()).toEqual([])
    const planned = request({
      dueOn: day('2026-08-31'),
      transferOn: day('2026-08-31'),
      excludedPaymentIds: [(await paymentOf(5n, 202607)).id],
    })
    accepted(await inBooks(tx => createTransferBatch(tx, desk, planned, undefined)))
    const { id } = await paymentOf(3n, 202607)
    expect(codes(await inBooks(tx => markPaid(tx, desk, [id], day('2026-08-05'))))).toEqual([
      'transfer/payment-in-transfer',
    ])
  })
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
  })
})

/** Somebody with every right changes rows behind the back of the program; the checks find it. */
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
