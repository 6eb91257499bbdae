import { randomUUID } from 'node:crypto'
import { fromJisX0201, toJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { parseZenginFile } from '@pc/domain/bank/zengin-record.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { explainSentTransfer } from '@pc/features/payments/explain/server/explain-transfer.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
  readExportedFile,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import {
  importTransferResult,
  previewTransferResult,
} from '@pc/features/payments/transfers/server/import-transfer-result.ts'
import { markReturned } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { readPayable } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { decideRecall, requestRecall } from '@pc/features/payments/transfers/server/recall-transfers.ts'
import {
  decideRecalledPayment,
  requestRecalledPayment,
} from '@pc/features/payments/transfers/server/recalled-payments.ts'
import { recordSplitResults } from '@pc/features/payments/transfers/server/record-split-results.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { resendRecords } from '@pc/features/payments/transfers/server/resend-records.ts'
import { listBatches, listTransfers } from '@pc/features/payments/transfers/server/transfer-store.ts'
import { readWithholdingMonths } from '@pc/features/payments/transfers/server/withholding-months.ts'
import { readTransferOf } from '@pc/features/statements/server/statement-store.ts'
import { today } from '@pc/platform/clock.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** Payments above the limit of one record, here a million yen: from the books to the bank file and back. */
const agreements = [
  // 2,000,000 yen with tax: two equal records.
  sampleAgreement(11n, [sampleRule(1101n, 1_818_182n)], { organizationId: 11n }),
  sampleAgreement(12n, [sampleRule(1201n, 2_500_000n)], { organizationId: 12n, terms: { feePaidBy: 'publisher' } }),
  sampleAgreement(13n, [sampleRule(1301n, 1_500_000n)], { organizationId: 13n }),
  sampleAgreement(14n, [sampleRule(1401n, 1_818_182n)], { organizationId: 14n }),
]
const fixture = await startTransferFixture(agreements)
const { tested, database, clock, actor, inBooks, paymentOf, violations, close } = fixture
afterAll(close)
beforeAll(() => inBooks(tx => tx.updateTable('transferSources').set({ transferLimitYen: 1_000_000n }).execute()))

const BY_HAND = { by: 'hand', reason: '銀行の画面で確認' } as const
const stateOf = async (agreementId: bigint, month = 202606) => (await paymentOf(agreementId, month)).paymentStatus

/** A batch with one agreement's payment of a month, exported to the bank. */
async function send(agreementId: bigint, month = 202606) {
  const { id, dueOn } = await paymentOf(agreementId, month)
  const others = await inBooks(tx =>
    tx.selectFrom('monthlyPayments').select('id').where('dueOn', '=', dueOn).where('id', '<>', id).execute(),
  )
  const wanted = request({
    dueOn: dueOn as Day,
    transferOn: dueOn as Day,
    excludedPaymentIds: others.map(row => row.id),
  })
  const batch = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, batch.id)))
  const transfer = await transferIn(batch.id)
  return { batchId: batch.id, transferId: transfer.id }
}
const transferIn = async (batchId: bigint) =>
  (await inBooks(tx => listTransfers(tx, batchId, { limit: 1, offset: 0 }))).nodes[0]!
const recordsIn = async (batchId: bigint) =>
  (await transferIn(batchId)).records.map(each => [each.number, each.amountYen, each.state])
const fileOf = async (batchId: bigint) => accepted(await inBooks(tx => readExportedFile(tx, batchId)))
const sentIn = async (batchId: bigint) => accepted(parseZenginFile(fromJisX0201((await fileOf(batchId)).bytes)!))

/** The bank's answer to a batch, with a mark for each record, in order. */
async function answer(batchId: bigint, marks: readonly string[], on: Day | null = null, keepsNumbers = true) {
  const lines = fromJisX0201((await fileOf(batchId)).bytes)!.split('\r\n')
  let index = 0
  const text = lines
    .map(line => {
      if (!line.startsWith('2')) return line
      const numbered = keepsNumbers ? line.slice(0, 113) : line.slice(0, 101) + ' '.repeat(10) + line.slice(111, 113)
      return numbered + (marks[index++] ?? '').padEnd(7)
    })
    .join('\r\n')
  return { name: 'kekka.txt', content: toJisX0201(text), on }
}
const book = async (file: Awaited<ReturnType<typeof answer>>) => {
  const booked = await inBooks(tx => importTransferResult(tx, actor, file))
  if (!booked.ok) throw new Error(JSON.stringify(booked.refusals))
  const { recorded: _recorded, ...counts } = booked.value
  return counts
}
const journalOf = async (month: number) => {
  const format = { scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
  const file = await inBooks(tx => exportJournal(tx, { month: month as YearMonth, ...format }))
  return file.ok ? Buffer.from(file.value.bytes).toString('utf8') : ''
}
const nothing = { paid: 0, returned: 0, unchanged: 0, unknown: 0 }

describe('all of it is paid', () => {
  let sent: Awaited<ReturnType<typeof send>>
  test('the file holds full records first and the rest last, and keeps the limit', async () => {
    sent = await send(12n)
    const { transfers, count, totalYen } = await sentIn(sent.batchId)
    expect(transfers.map(each => [each.transferNumber, each.recordNumber, each.amountYen])).toEqual([
      [sent.transferId, 1, 1_000_000n],
      [sent.transferId, 2, 1_000_000n],
      [sent.transferId, 3, 749_340n],
    ])
    expect([count, totalYen]).toEqual([3, 2_749_340n])
    expect(await transferIn(sent.batchId)).toMatchObject({ feeYen: 1_980n, feeBorneByPayeeYen: 660n })
    const { id, organizationId } = await paymentOf(12n)
    const ofPayee = { kind: 'organization', organizationId, uid: actor.actorUid } as const
    expect(await inBooks(tx => readTransferOf(tx, id))).toMatchObject({
      ...{ state: 'exported', paidOn: null, feeBorneByPayeeYen: 660n, lineAmountYen: 2_749_340n },
      recordAmountsYen: [1_000_000n, 1_000_000n, 749_340n],
    })
    expect(await database.inScope(ofPayee, tx => readTransferOf(tx, id))).toMatchObject({
      recordAmountsYen: [1_000_000n, 1_000_000n, 749_340n],
    })
    const { nodes } = await inBooks(tx => listBatches(tx, today(clock), { limit: 1, offset: 0 }))
    expect(nodes).toMatchObject([{ transfers: 1n, splitRecords: 3n, transferLimitYen: 1_000_000n }])
    expect(await violations()).toEqual([])
  })
  test('later limits and settings change no byte of it', async () => {
    const before = await fileOf(sent.batchId)
    await inBooks(tx => tx.updateTable('transferSources').set({ transferLimitYen: 9_999_999_999n }).execute())
    expect((await fileOf(sent.batchId)).sha256).toBe(before.sha256)
    await inBooks(tx => tx.updateTable('transferSources').set({ transferLimitYen: 1_000_000n }).execute())
  })
  test('the bank’s answer pays it once; twice is no effect', async () => {
    clock.set('2026-07-31T18:00:00+09:00')
    const file = await answer(sent.batchId, ['0', '0', '0'])
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.map(row => [row.effect, row.recordNumber])).toEqual([
      ['book', 1],
      ['book', 2],
      ['book', 3],
    ])
    expect(await book(file)).toEqual({ ...nothing, paid: 3 })
    expect(await transferIn(sent.batchId)).toMatchObject({ state: 'paid', paidOn: '2026-07-31' })
    expect(await stateOf(12n)).toBe('paid')
    expect(await book(file)).toEqual({ ...nothing, unchanged: 3 })
    expect(await violations()).toEqual([])
  })
  test('explained as one amount; the books have one entry for each debit', async () => {
    const explained = await explainSentTransfer({ database }, sent.transferId, undefined)
    expect(explained?.node.children).toHaveLength(2)
    const journal = await journalOf(202607)
    for (const number of [1, 2, 3]) expect(journal).toContain(`transfer:${sent.transferId}-${number}`)
    expect(journal).not.toContain(`transfer:${sent.transferId},`)
  })
})

describe('one record came back', () => {
  let sent: Awaited<ReturnType<typeof send>>
  let again: bigint
  test('the transfer is neither paid nor returned, and its payment waits', async () => {
    clock.set('2026-07-30T12:00:00+09:00')
    sent = await send(11n)
    clock.set('2026-07-31T18:00:00+09:00')
    const file = await answer(sent.batchId, ['0', '8'])
    expect(await book(file)).toEqual({ ...nothing, paid: 1, returned: 1 })
    expect(await book(file)).toEqual({ ...nothing, unchanged: 2 })
    expect(await recordsIn(sent.batchId)).toEqual([
      [1, 1_000_000n, 'paid'],
      [2, 1_000_000n, 'returned'],
    ])
    expect(await transferIn(sent.batchId)).toMatchObject({ state: 'exported' })
    expect(await stateOf(11n)).toBe('exported')
    const { nodes } = await inBooks(tx => listBatches(tx, today(clock), { limit: 1, offset: 0 }, { id: sent.batchId }))
    expect(nodes).toMatchObject([{ exported: 1n, partlyReturned: 1n }])
    expect(await violations()).toEqual([])
  })
  test('no result is recorded as if nothing had come back, and it is not planned again', async () => {
    const paid = { outcome: 'paid', on: JULY, ...BY_HAND } as const
    expect(codes(await inBooks(tx => recordTransferResults(tx, actor, [sent.transferId], paid)))).toEqual([
      'transfer/record-returned',
    ])
    const payable = await inBooks(tx => readPayable(tx, today(clock), { dueOn: JULY }))
    expect(payable.map(each => each.agreementId)).not.toContain(11n)
  })
  test('two persons send it again at the same time: one file', async () => {
    const day3 = day('2026-08-03')
    const answers = await Promise.all(
      Array.from({ length: 2 }, () => inBooks(tx => resendRecords(tx, actor, sent.transferId, day3))),
    )
    expect(answers.flatMap(codes)).toEqual(['transfer/nothing-returned'])
    again = accepted(answers.find(each => each.ok)!).id
    expect(codes(await inBooks(tx => resendRecords(tx, actor, sent.transferId, day('2026-08-01'))))).toEqual([
      'transfer/nothing-returned',
    ])
    accepted(await inBooks(tx => exportTransferBatch(tx, actor, again)))
    const { transfers } = await sentIn(again)
    expect(transfers.map(each => [each.transferNumber, each.recordNumber, each.amountYen])).toEqual([
      [sent.transferId, 3, 1_000_000n],
    ])
    expect(await stateOf(11n)).toBe('exported')
    const { nodes } = await inBooks(tx => listBatches(tx, today(clock), { limit: 1, offset: 0 }))
    expect(nodes).toMatchObject([{ id: again, transfers: 0n, sentAgain: 1n, sentAgainYen: 1_000_000n }])
    expect(await violations()).toEqual([])
  })
  test('before its day nothing of it is taken back', async () => {
    const returned = { outcome: 'returned', on: JULY, ...BY_HAND } as const
    const refs = [{ transferId: sent.transferId, number: 3 }]
    expect(codes(await inBooks(tx => recordSplitResults(tx, actor, refs, returned)))).toEqual([
      'transfer/record-not-due',
    ])
    expect(codes(await inBooks(tx => recordTransferResults(tx, actor, [sent.transferId], returned)))).toEqual([
      'transfer/record-not-due',
    ])
    const { id } = await paymentOf(11n)
    expect(codes(await inBooks(tx => markReturned(tx, actor, [id], '誤り')))).toEqual(['transfer/record-not-due'])
  })
  test('the first answer once more says nothing about the second file, and that one pays the rest', async () => {
    clock.set('2026-08-03T18:00:00+09:00')
    expect(await book(await answer(sent.batchId, ['0', '8']))).toEqual({ ...nothing, unchanged: 2 })
    // A late answer contradicts the books, as for any transfer.
    const late = await inBooks(async tx => importTransferResult(tx, actor, await answer(sent.batchId, ['0', '0'])))
    expect(codes(late)).toEqual(['transfer/result-not-bookable'])
    expect(await book(await answer(again, ['0']))).toEqual({ ...nothing, paid: 1 })
    expect(await transferIn(sent.batchId)).toMatchObject({ state: 'paid', paidOn: '2026-07-31' })
    expect(await paymentOf(11n)).toMatchObject({ paymentStatus: 'paid', paidOn: '2026-08-03' })
    expect(await violations()).toEqual([])
  })
})

describe('a part of what was paid comes back', () => {
  let sent: Awaited<ReturnType<typeof send>>
  const withheldIn = async () => {
    const months = await inBooks(tx => readWithholdingMonths(tx, 2026))
    return months.filter(each => each.withholdingYen > 0n).map(each => [each.month, each.withholdingYen])
  }
  const refs = (...numbers: number[]) => numbers.map(number => ({ transferId: sent.transferId, number }))
  test('the payment waits at the bank again; the tax was withheld on the first day', async () => {
    clock.set('2026-08-31T09:00:00+09:00')
    sent = await send(3n, 202607)
    clock.set('2026-08-31T18:00:00+09:00')
    // A bank that does not return customer code 2: both records are there, in their order.
    expect(await book(await answer(sent.batchId, ['0', '0'], null, false))).toEqual({ ...nothing, paid: 2 })
    expect(await stateOf(3n, 202607)).toBe('paid')
    clock.set('2026-09-02T12:00:00+09:00')
    expect(await book(await answer(sent.batchId, ['8', '0']))).toEqual({ ...nothing, returned: 1, unchanged: 1 })
    expect(await transferIn(sent.batchId)).toMatchObject({ state: 'exported', paidOn: '2026-08-31' })
    expect(await paymentOf(3n, 202607)).toMatchObject({ paymentStatus: 'exported', paidOn: null })
    expect(await violations()).toEqual([])
    expect(await withheldIn()).toEqual([[202608, 204_200n]])
    expect(await journalOf(202609)).toContain(`transfer:${sent.transferId}-1`)
  })
  test('the rest is paid in another way, once', async () => {
    const paid = { outcome: 'paid', on: day('2026-09-02'), ...BY_HAND } as const
    expect(
      codes(await inBooks(tx => recordSplitResults(tx, actor, refs(1), { ...paid, on: day('2026-09-03') }))),
    ).toEqual(['transfer/settled-on-future'])
    const answers = await Promise.all([1, 2].map(() => inBooks(tx => recordSplitResults(tx, actor, refs(1), paid))))
    expect(answers.flatMap(codes)).toEqual(['transfer/state-not-allowed'])
    expect(await recordsIn(sent.batchId)).toEqual([
      [1, 1_000_000n, 'returned'],
      [2, 445_800n, 'paid'],
      [3, 1_000_000n, 'paid'],
    ])
    expect(await stateOf(3n, 202607)).toBe('paid')
    expect(await withheldIn()).toEqual([[202608, 204_200n]])
    expect(await violations()).toEqual([])
  })
})

describe('nothing is left of it', () => {
  let sent: Awaited<ReturnType<typeof send>>
  test('all records come back: its payment may go into a new transfer', async () => {
    clock.set('2026-07-31T09:00:00+09:00')
    sent = await send(14n)
    clock.set('2026-07-31T18:00:00+09:00')
    expect(await book(await answer(sent.batchId, ['8', '']))).toEqual({ ...nothing, returned: 1, unknown: 1 })
    expect(await stateOf(14n)).toBe('exported')
    expect(await book(await answer(sent.batchId, ['8', '8']))).toEqual({ ...nothing, returned: 1, unchanged: 1 })
    expect(await transferIn(sent.batchId)).toMatchObject({ state: 'returned' })
    expect(await stateOf(14n)).toBe('returned')
    expect(codes(await inBooks(tx => resendRecords(tx, actor, sent.transferId, JULY)))).toEqual([
      'transfer/nothing-returned',
    ])
    expect(await violations()).toEqual([])
  })
  test('planned again, resent in part, given up, and the paid part comes back', async () => {
    sent = await send(14n)
    expect(await stateOf(14n)).toBe('exported')
    expect(await book(await answer(sent.batchId, ['0', '8']))).toEqual({ ...nothing, paid: 1, returned: 1 })
    const again = accepted(await inBooks(tx => resendRecords(tx, actor, sent.transferId, JULY)))
    const paid = { outcome: 'paid', on: JULY, ...BY_HAND } as const
    expect(codes(await inBooks(tx => recordTransferResults(tx, actor, [sent.transferId], paid)))).toEqual([
      'transfer/record-planned',
    ])
    const first = [{ transferId: sent.transferId, number: 1 }]
    accepted(await inBooks(tx => recordSplitResults(tx, actor, first, { ...paid, outcome: 'returned' })))
    expect(await stateOf(14n)).toBe('exported')
    accepted(await inBooks(tx => cancelTransferBatch(tx, actor, again.id, '口座の解約')))
    expect(await transferIn(sent.batchId)).toMatchObject({ state: 'returned' })
    expect(await stateOf(14n)).toBe('returned')
    expect(await violations()).toEqual([])
  })
})

describe('before its day', () => {
  test('two persons take the whole back, all of its records together', async () => {
    clock.set('2026-08-28T09:00:00+09:00')
    const { batchId, transferId } = await send(13n, 202607)
    const refs = [{ transferId, number: 1 }]
    const returned = { outcome: 'returned', on: today(clock), ...BY_HAND } as const
    expect(codes(await inBooks(tx => recordSplitResults(tx, actor, refs, returned)))).toEqual([
      'transfer/recall-needed',
    ])
    accepted(await inBooks(tx => requestRecall(tx, actor, transferId, '口座の誤り')))
    const colleague = { clock, actorUid: randomUUID() }
    accepted(await inBooks(tx => decideRecall(tx, colleague, transferId, true)))
    expect((await recordsIn(batchId)).map(each => each[2])).toEqual(['returned', 'returned'])
    expect(await stateOf(13n, 202607)).toBe('returned')
    expect(await violations()).toEqual([])
    // The bank carried it out after all: a person has to request a correction.
    clock.set('2026-08-31T18:00:00+09:00')
    const file = await answer(batchId, ['0', '0'])
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.map(row => row.effect)).toEqual(['unknown', 'unknown'])
    const on = today(clock)
    accepted(await inBooks(tx => requestRecalledPayment(tx, actor, transferId, { on, reason: '銀行の画面で確認' })))
    const paid = { state: 'paid', paidOn: on, returnedOn: null }
    const write = inBooks(tx =>
      tx.updateTable('transferRecords').set(paid).where('transferId', '=', transferId).execute(),
    )
    await expect(write, 'before the second person').rejects.toMatchObject({ constraint: 'transfer_kept' })
    accepted(await inBooks(tx => decideRecalledPayment(tx, colleague, transferId, true)))
    expect((await recordsIn(batchId)).map(each => each[2])).toEqual(['paid', 'paid'])
    expect(await transferIn(batchId)).toMatchObject(paid)
    expect(await stateOf(13n, 202607)).toBe('paid')
    expect(await violations()).toEqual([])
  })
})

describe('the walls of the database', () => {
  test('no yen twice, and nothing is rewritten', async () => {
    clock.set('2026-07-31T09:00:00+09:00')
    const { transferId: id } = await send(13n)
    await withClient(tested.adminUrl, async client => {
      const refused = (statement: string, constraint: string) =>
        expect(client.query(statement), statement).rejects.toMatchObject({ constraint })
      const insert = (values: string) =>
        `insert into transfer_records (transfer_id, number, batch_id, replaces, amount_yen, fee_yen, state, updated_at) select ${values}, now() from transfers where id = ${id}`
      await refused(insert("id, 9, batch_id, null, 1, 0, 'planned'"), 'transfer_kept')
      // It has not come back.
      await refused(insert("id, 9, batch_id, 1, 1000000, 0, 'planned'"), 'transfer_kept')
      await refused(`update transfer_records set amount_yen = 1 where transfer_id = ${id}`, 'transfer_kept')
      await refused(`delete from transfer_records where transfer_id = ${id}`, 'transfer_kept')
      await refused(
        `update transfers set state = 'paid', paid_on = '2026-07-31' where id = ${id}`,
        'transfer_record_sums',
      )
      await refused(
        `update transfer_records set state = 'paid', paid_on = '2026-07-31' where transfer_id = ${id}`,
        'transfer_record_sums',
      )
      await refused('truncate transfer_records', 'closed_month')
    })
  })
  test('a damaged record is found by the nightly check', async () => {
    expect(await violations()).toEqual([])
    await withClient(tested.adminUrl, async client => {
      await client.query("set session_replication_role = 'replica'")
      await client.query('update transfer_records set amount_yen = amount_yen - 1 where number = 1')
    })
    const found = await violations()
    expect(new Set(found.map(each => each.invariant))).toEqual(new Set(['I19']))
    expect(found.some(each => each.detail.includes('分けた振込額の合計'))).toBe(true)
    expect(found.some(each => each.detail.includes('同じ内容になりません'))).toBe(true)
  })
})
