import { randomUUID } from 'node:crypto'
import { type Day, day } from '@pc/domain/month/day.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { markPaid } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { decideRecall, noteBankRecall, requestRecall } from '@pc/features/payments/transfers/server/recall-transfers.ts'
import {
  decideRecalledPayment,
  requestRecalledPayment,
} from '@pc/features/payments/transfers/server/recalled-payments.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { afterAll, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** Days of money movements have bounds on both sides, and what the bank may have paid is not sent again. */
const { database, clock, actor, inBooks, paymentOf, violations, close } = await startTransferFixture(
  [13n, 14n, 15n].map(id => sampleAgreement(id, [sampleRule(id * 100n + 1n, 70_000n)], { organizationId: id })),
)
afterAll(close)
const colleague = { clock, actorUid: randomUUID() }

/** A batch with the payment of one agreement. */
async function batchOf(agreementId: bigint, transferOn: Day = JULY) {
  const { id } = await paymentOf(agreementId)
  const others = await inBooks(tx =>
    tx.selectFrom('monthlyPayments').select('id').where('dueOn', '=', JULY).where('id', '<>', id).execute(),
  )
  const wanted = request({ transferOn, excludedPaymentIds: others.map(row => row.id) })
  const batch = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  const transfer = await inBooks(tx =>
    tx.selectFrom('transfers').select('id').where('batchId', '=', batch.id).executeTakeFirstOrThrow(),
  )
  return { batchId: batch.id, transferId: transfer.id }
}
const exported = (id: bigint) => inBooks(tx => exportTransferBatch(tx, actor, id))

test('a payment is not sent a second time while somebody says that the bank has paid it', async () => {
  clock.set('2026-07-20T12:00:00+09:00')
  const first = await batchOf(3n)
  accepted(await exported(first.batchId))
  accepted(await inBooks(tx => requestRecall(tx, actor, first.transferId, '口座名義の誤り')))
  accepted(await inBooks(tx => decideRecall(tx, colleague, first.transferId, true)))
  accepted(await inBooks(tx => noteBankRecall(tx, actor, first.transferId, 'K-1')))
  clock.set('2026-07-31T09:00:00+09:00')
  const second = await batchOf(3n, day('2026-08-05'))
  clock.set('2026-08-03T12:00:00+09:00')
  const paid = { on: JULY, reason: '銀行の画面で支払済みを確認' }
  accepted(await inBooks(tx => requestRecalledPayment(tx, actor, first.transferId, paid)))
  expect(codes(await exported(second.batchId))).toEqual(['transfer/recalled-may-be-paid'])
  const write = database.inScope(SYSTEM, tx =>
    tx
      .updateTable('transfers')
      .set({ state: 'exported', updatedAt: new Date(clock.now()) })
      .where('id', '=', second.transferId)
      .execute(),
  )
  await expect(write, 'nor by a row of the database').rejects.toMatchObject({ constraint: 'transfer_recall_pending' })
  accepted(await inBooks(tx => cancelTransferBatch(tx, actor, second.batchId, '支払済みだった')))
  accepted(await inBooks(tx => decideRecalledPayment(tx, colleague, first.transferId, true)))
  expect(await paymentOf(3n)).toMatchObject({ paymentStatus: 'paid', paidOn: JULY })
  expect(await violations()).toEqual([])
})

test('a batch whose day is over is not exported for the first time; its file stays readable', async () => {
  clock.set('2026-07-20T12:00:00+09:00')
  const late = await batchOf(13n)
  const sent = await batchOf(14n)
  accepted(await exported(sent.batchId))
  clock.set('2026-08-01T00:00:00+09:00')
  expect(codes(await exported(late.batchId))).toEqual(['transfer/day-over'])
  expect(accepted(await exported(sent.batchId))).toMatchObject({ isFirst: false })
  clock.set('2026-07-31T23:59:00+09:00')
  expect(accepted(await exported(late.batchId))).toMatchObject({ isFirst: true })
})

test('nothing comes back before the day on which it was sent, nor is paid before its month is over', async () => {
  clock.set('2026-08-20T12:00:00+09:00')
  const { id: transferId } = await inBooks(tx =>
    tx
      .selectFrom('transfers')
      .select('id')
      .where('state', '=', 'exported')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  const back = (on: Day) =>
    inBooks(tx =>
      recordTransferResults(tx, actor, [transferId], { outcome: 'returned', on, reason: '口座なし', by: 'hand' }),
    )
  expect(codes(await back(day('2006-08-03')))).toEqual(['transfer/returned-too-early'])
  expect(codes(await back(day('2026-07-30')))).toEqual(['transfer/returned-too-early'])
  accepted(await back(JULY))

  const { id } = await inBooks(tx =>
    tx
      .selectFrom('monthlyPayments')
      .select('id')
      .where('agreementId', '=', 15n)
      .where('month', '=', 202606)
      .executeTakeFirstOrThrow(),
  )
  const paid = (on: Day) => inBooks(tx => markPaid(tx, actor, [id], on))
  for (const early of ['2012-08-20', '2016-08-20', '2026-06-30'])
    expect(codes(await paid(day(early)))).toEqual(['payment/paid-on-too-early'])
  accepted(await paid(day('2026-07-01')))
  expect(await violations()).toEqual([])
})
