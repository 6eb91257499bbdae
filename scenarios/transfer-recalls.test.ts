import { randomUUID } from 'node:crypto'
import { sumBy } from '@pc/domain/money/yen.ts'
import { day } from '@pc/domain/month/day.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { correctReturnFee, readReturns } from '@pc/features/payments/core/server/return-fees.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import {
  importTransferResult,
  previewTransferResult,
} from '@pc/features/payments/transfers/server/import-transfer-result.ts'
import { markPaid, markReturned } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { payableCount, readPayable, returnedCount } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import {
  decideRecall,
  noteBankRecall,
  recallsToDecideCount,
  requestRecall,
} from '@pc/features/payments/transfers/server/recall-transfers.ts'
import {
  decideRecalledPayment,
  requestRecalledPayment,
} from '@pc/features/payments/transfers/server/recalled-payments.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { listBatches, listTransfers } from '@pc/features/payments/transfers/server/transfer-store.ts'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/**
 * Transfers recalled before their day. The bank still has the order, so it takes two people, and the payment is sent
 * again only once the bank can no longer pay it. Transfers 4 to 6 are at the bank for 31 July; every test continues
 * where the one before ended.
 */
const { database, clock, actor, inBooks, paymentOf, violations, sendBatch, marked, close } =
  await startTransferFixture()
afterAll(close)
beforeAll(sendBatch)

const colleague = { clock, actorUid: randomUUID() }
const REASON = '口座名義の誤り'
const stateOf = async (id: bigint) =>
  (await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))).nodes.find(each => each.id === id)?.state
/** By batch, latest first. */
const requestsListed = async () => {
  const now = today(clock)
  const page = { limit: 5, offset: 0 }
  const { nodes } = await inBooks(tx => listBatches(tx, now, page))
  // Requests that wait for the second person are counted on the home screen; the count equals the list behind its link.
  const waiting = await inBooks(tx => listBatches(tx, now, page, { isToDecide: true }))
  const sum = (rows: typeof nodes) => sumBy(rows, row => row.recallsRequested + row.recalledPaymentsRequested)
  const { rows } = await inBooks(tx => sql<{ count: bigint }>`select ${recallsToDecideCount(now)} as count`.execute(tx))
  expect([waiting.total, sum(waiting.nodes)]).toEqual([waiting.nodes.length, rows[0]!.count])
  expect(sum(nodes)).toBe(rows[0]!.count)
  return nodes.map(each => each.recallsRequested)
}
const payable = async () => {
  const now = today(clock)
  const rows = await inBooks(tx => readPayable(tx, now, { dueOn: JULY, months: [202606 as never] }))
  const { rows: counted } = await inBooks(tx =>
    sql<{
      all: bigint
      returned: bigint
    }>`select ${payableCount(now)} as all, ${returnedCount(now)} as returned`.execute(tx),
  )
  return { agreements: rows.map(row => row.agreementId).toSorted(), returned: counted[0]!.returned }
}

describe('one person alone does not mark it, on no way', () => {
  test('by hand, by payment, by the bank’s answer, by a row of the database', async () => {
    const settle = { outcome: 'returned', on: today(clock), reason: REASON, by: 'hand' } as const
    expect(codes(await inBooks(tx => recordTransferResults(tx, actor, [5n], settle)))).toEqual([
      'transfer/recall-needed',
    ])
    const { id } = await paymentOf(3n)
    expect(codes(await inBooks(tx => markReturned(tx, actor, [id], REASON)))).toEqual(['transfer/recall-needed'])
    const file = await marked({ 5: '8' })
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.find(row => row.transferNumber === 5n)).toMatchObject({ effect: 'conflict' })
    expect(codes(await inBooks(tx => importTransferResult(tx, actor, file)))).toEqual(['transfer/result-not-bookable'])
    await expect(
      database.inScope(SYSTEM, tx =>
        tx
          .updateTable('transfers')
          .set({ state: 'returned', returnedOn: JULY, updatedAt: new Date(clock.now()) })
          .where('id', '=', 5n)
          .execute(),
      ),
    ).rejects.toMatchObject({ constraint: 'transfer_recall_confirmed' })
    expect(await stateOf(5n)).toBe('exported')
  })

  test('a request needs a reason, is made once, and is not confirmed by who made it', async () => {
    const ask = (id: bigint, reason: string) => inBooks(tx => requestRecall(tx, actor, id, reason))
    expect(codes(await ask(5n, '  '))).toEqual(['transfer/reason-missing'])
    expect(codes(await ask(5n, 'あ'.repeat(201)))).toEqual(['transfer/reason-missing'])
    expect(codes(await ask(1n, REASON)), 'of a batch that was given up').toEqual(['transfer/state-not-allowed'])
    expect(codes(await ask(99n, REASON))).toEqual(['transfer/not-found'])
    const requested = await Promise.all(Array.from({ length: 8 }, () => ask(5n, REASON)))
    expect(requested.filter(each => each.ok)).toHaveLength(1)
    expect(await requestsListed()).toEqual([1n, 0n])
    expect(codes(await inBooks(tx => decideRecall(tx, actor, 5n, true)))).toEqual(['transfer/recall-own'])
    expect(codes(await inBooks(tx => decideRecall(tx, colleague, 6n, true)))).toEqual(['transfer/recall-not-open'])
    await expect(
      database.inScope(SYSTEM, tx =>
        tx
          .updateTable('transferRecalls')
          .set({ state: 'confirmed', decidedAt: new Date(), decidedByUid: actor.actorUid })
          .execute(),
      ),
    ).rejects.toMatchObject({ code: '23514' })
    expect(await stateOf(5n)).toBe('exported')
  })
})

test('a rejected request leaves the transfer as it is, and another one can be made', async () => {
  const rejected = accepted(await inBooks(tx => decideRecall(tx, colleague, 5n, false)))
  expect(rejected).toMatchObject({ recorded: [], recall: { state: 'rejected' } })
  expect(await stateOf(5n)).toBe('exported')
  accepted(await inBooks(tx => requestRecall(tx, actor, 5n, REASON)))
})

describe('confirmed by a second person', () => {
  test('it is returned, once, and its payment is not sent again while the bank may pay it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => inBooks(tx => decideRecall(tx, colleague, 5n, true))),
    )
    expect(answers.filter(each => each.ok)).toHaveLength(1)
    expect(await stateOf(5n)).toBe('returned')
    expect(await paymentOf(3n)).toMatchObject({ paymentStatus: 'returned', returnedReason: REASON })
    expect(await payable()).toEqual({ agreements: [5n], returned: 0n })
    const { id } = await paymentOf(3n)
    expect(codes(await inBooks(tx => markPaid(tx, actor, [id], today(clock))))).toEqual(['payment/status-not-allowed'])
    expect(await violations()).toEqual([])
  })

  test('nor by a row of the database', async () => {
    const { id: paymentId } = await paymentOf(3n)
    const insert = database.inScope(SYSTEM, async tx => {
      const part = await tx
        .selectFrom('transferPayments')
        .selectAll()
        .where('transferId', '=', 5n)
        .executeTakeFirstOrThrow()
      const transfer = await tx.selectFrom('transfers').selectAll().where('id', '=', 5n).executeTakeFirstOrThrow()
      const batch = await tx
        .insertInto('transferBatches')
        .values({ kind: 'by_hand', transferOn: JULY, dueOn: JULY, createdAt: new Date(clock.now()) })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id: _id, ...copy } = transfer
      const made = await tx
        .insertInto('transfers')
        .values({ ...copy, batchId: batch.id, state: 'planned', returnedOn: null, reason: null, settledBy: null })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('transferPayments')
        .values({ ...part, transferId: made.id, isLive: true })
        .execute()
    })
    await expect(insert).rejects.toMatchObject({ constraint: 'transfer_recall_pending' })
    expect((await paymentOf(3n)).id).toBe(paymentId)
  })

  test('on the day itself neither; the day after it is', async () => {
    clock.set('2026-07-31T23:59:00+09:00')
    expect(await payable()).toEqual({ agreements: [5n], returned: 0n })
    clock.set('2026-08-01T00:01:00+09:00')
    expect(await payable()).toEqual({ agreements: [3n, 5n], returned: 1n })
    clock.set('2026-07-21T12:00:00+09:00')
  })

  test('the bank’s word frees it at once, and it is sent again', async () => {
    const note = (reference: string) => inBooks(tx => noteBankRecall(tx, actor, 5n, reference))
    expect(codes(await note(' '))).toEqual(['transfer/bank-reference-missing'])
    expect(codes(await inBooks(tx => noteBankRecall(tx, actor, 6n, 'K-1')))).toEqual(['transfer/recall-not-confirmed'])
    accepted(await note('受付 K-2026-17'))
    expect(codes(await note('K-18'))).toEqual(['transfer/bank-recall-noted'])
    expect(await payable()).toEqual({ agreements: [3n, 5n], returned: 1n })
    const again = request({ months: [202606 as never], excludedPaymentIds: [(await paymentOf(5n)).id] })
    const made = accepted(await inBooks(tx => createTransferBatch(tx, actor, again, undefined)))
    expect(made).toMatchObject({ transfers: 1, payments: 1 })
    accepted(await inBooks(tx => exportTransferBatch(tx, actor, made.id)))
    expect(await payable()).toEqual({ agreements: [5n], returned: 0n })
    expect(await violations()).toEqual([])
  })
})

test('a bank that paid it all the same stops no other line of its answer', async () => {
  const undo = new Error('undo')
  const booked = inBooks(async tx => {
    clock.set('2026-08-03T12:00:00+09:00')
    const file = await marked({ 4: '0', 5: '0', 6: '0' })
    const preview = accepted(await previewTransferResult(tx, clock, file))
    expect(preview.rows.map(row => [row.transferNumber, row.effect])).toEqual([
      [4n, 'book'],
      [5n, 'unknown'],
      [6n, 'book'],
    ])
    expect(preview.rows[1]?.note).toContain('銀行が支払っています')
    expect(accepted(await importTransferResult(tx, actor, file))).toMatchObject({ paid: 2, unknown: 1 })
    throw undo
  })
  await expect(booked).rejects.toBe(undo)
  clock.set('2026-07-21T12:00:00+09:00')
})

test('once the day has come a request is not confirmed, and the ordinary way is open', async () => {
  accepted(await inBooks(tx => requestRecall(tx, actor, 6n, REASON)))
  expect(await requestsListed()).toEqual([0n, 1n, 0n])
  clock.set('2026-07-31T09:00:00+09:00')
  expect(await requestsListed(), 'nobody can decide it any more').toEqual([0n, 0n, 0n])
  expect(codes(await inBooks(tx => decideRecall(tx, colleague, 6n, true)))).toEqual(['transfer/recall-too-late'])
  expect(codes(await inBooks(tx => requestRecall(tx, colleague, 4n, REASON)))).toEqual(['transfer/recall-too-late'])
  const settle = { outcome: 'returned', on: JULY, reason: '口座なし', by: 'hand' } as const
  accepted(await inBooks(tx => recordTransferResults(tx, actor, [6n], settle)))
  expect(await payable()).toMatchObject({ agreements: [4n, 5n] })
  expect(await violations()).toEqual([])
})

describe('a bank that carried out what was recalled', () => {
  const askPaid = (id: bigint, on = JULY, by = actor) =>
    inBooks(tx => requestRecalledPayment(tx, by, id, { on, reason: '銀行の画面で確認' }))
  const decidePaid = (by: typeof actor, isConfirmed = true) =>
    inBooks(tx => decideRecalledPayment(tx, by, 5n, isConfirmed))

  test('is requested by one person: from the day on, for what was recalled, once', async () => {
    clock.set('2026-07-30T12:00:00+09:00')
    expect(codes(await askPaid(5n))).toEqual(['transfer/not-due-yet'])
    clock.set('2026-08-03T12:00:00+09:00')
    expect(codes(await askPaid(6n)), 'came back after its day').toEqual(['transfer/not-recalled'])
    expect(codes(await askPaid(99n))).toEqual(['transfer/not-found'])
    expect(codes(await askPaid(5n, day('2026-07-30')))).toEqual(['transfer/paid-too-early'])
    expect(codes(await askPaid(5n, day('2026-08-04')))).toEqual(['transfer/settled-on-future'])
    expect(codes(await inBooks(tx => requestRecalledPayment(tx, actor, 5n, { on: JULY, reason: ' ' })))).toEqual([
      'transfer/reason-missing',
    ])
    const requested = await Promise.all(Array.from({ length: 8 }, () => askPaid(5n)))
    expect(requested.filter(each => each.ok)).toHaveLength(1)
    await requestsListed()
    expect(codes(await decidePaid(actor))).toEqual(['transfer/recall-own'])
  })

  test('is not confirmed while another transfer pays the same', async () => {
    const refusedNow = await decidePaid(colleague)
    expect(codes(refusedNow)).toEqual(['transfer/recalled-sent-again'])
    if (!refusedNow.ok)
      expect(refusalMessageJa(refusedNow.refusals[0]!)).toContain('を組戻しにしてから承認してください')
    const { nodes } = await inBooks(tx => listBatches(tx, today(clock), { limit: 1, offset: 0 }))
    const again = await inBooks(tx => listTransfers(tx, nodes[0]!.id, { limit: 5, offset: 0 }))
    const other = again.nodes[0]!.id
    const settle = { outcome: 'returned', on: today(clock), reason: '二重払いの返金', by: 'hand' } as const
    accepted(await inBooks(tx => recordTransferResults(tx, actor, [other], settle)))
    expect(await paymentOf(3n)).toMatchObject({ paymentStatus: 'returned' })
    const rows = await inBooks(tx => readPayable(tx, today(clock), { dueOn: JULY }))
    expect(
      rows.filter(row => row.agreementId === 3n && row.month === 202606),
      'not sent again while it is undecided',
    ).toEqual([])
  })

  test('nor by a row of the database', async () => {
    const paid = { state: 'paid', paidOn: JULY, returnedOn: null, updatedAt: new Date(clock.now()) } as const
    for (const id of [5n, 6n]) {
      const write = database.inScope(SYSTEM, tx => tx.updateTable('transfers').set(paid).where('id', '=', id).execute())
      await expect(write).rejects.toMatchObject({ constraint: 'transfer_kept' })
    }
    const write = database.inScope(SYSTEM, async tx => {
      const { id } = await paymentOf(3n)
      await tx
        .updateTable('monthlyPayments')
        .set({ paymentStatus: 'paid', paidOn: JULY, paidAtMonth: 202607 })
        .where('id', '=', id)
        .execute()
    })
    await expect(write).rejects.toMatchObject({ constraint: 'closed_month' })
  })

  test('a rejected request leaves it as it is; a confirmed one records it as paid, once', async () => {
    expect(accepted(await decidePaid(colleague, false))).toMatchObject({ recorded: [], recall: { state: 'rejected' } })
    expect(await stateOf(5n)).toBe('returned')
    accepted(await askPaid(5n))
    const answers = await Promise.all(Array.from({ length: 8 }, () => decidePaid(colleague)))
    expect(answers.filter(each => each.ok)).toHaveLength(1)
    expect(await stateOf(5n)).toBe('paid')
    expect(await paymentOf(3n)).toMatchObject({ paymentStatus: 'paid', paidOn: JULY, returnedReason: null })
    expect(await violations()).toEqual([])
    const file = await marked({ 5: '0' })
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.find(row => row.transferNumber === 5n)).toMatchObject({ effect: 'unchanged' })
    const request = { month: 202607 as never, scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
    const journal = accepted(await inBooks(tx => exportJournal(tx, request)))
    expect(journal.entries).toBe(1)
    expect(codes(await askPaid(5n))).toEqual(['transfer/not-recalled'])
  })

  test('and may come back after all, like any paid one', async () => {
    const settle = { outcome: 'returned', on: today(clock), reason: '口座なし', by: 'hand' } as const
    accepted(await inBooks(tx => recordTransferResults(tx, actor, [5n], { ...settle, returnFeeYen: 100_000n })))
    const returns = (await inBooks(tx => readReturns(tx, [5n]))).get(5n)!
    expect(
      returns.map(each => [each.returnNumber, each.chargedOn, each.feeYen]),
      'each on its day',
    ).toEqual([
      [1, expect.any(String), 0n],
      [2, today(clock), 100_000n],
    ])
    expect(returns[0]!.chargedOn < today(clock)).toBe(true)
    const one = { transferId: 5n, number: 0 }
    expect(codes(await inBooks(tx => correctReturnFee(tx, clock, one, 880n))), 'which one?').toEqual([
      'transfer/return-not-named',
    ])
    accepted(await inBooks(tx => correctReturnFee(tx, clock, one, 880n, 1)))
    expect(codes(await askPaid(5n)), 'it was paid and came back').toEqual(['transfer/not-recalled'])
    const file = await marked({ 5: '0' })
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.find(row => row.transferNumber === 5n)).toMatchObject({ effect: 'conflict' })
    expect(await violations()).toEqual([])
  })
})
