import { randomUUID } from 'node:crypto'
import { day } from '@pc/domain/month/day.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { cancelTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { markPaid } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { decideRecall, noteBankRecall, requestRecall } from '@pc/features/payments/transfers/server/recall-transfers.ts'
import {
  decideRecalledPayment,
  requestRecalledPayment,
} from '@pc/features/payments/transfers/server/recalled-payments.ts'
import { today } from '@pc/platform/clock.ts'
import { afterAll, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

const { clock, actor, inBooks, paymentOf, sendBatch, close } = await startTransferFixture()
afterAll(close)

test('what the bank may have paid in spite of a recall is not marked as paid by hand, until that is decided', async () => {
  await sendBatch()
  const colleague = { clock, actorUid: randomUUID() }
  const { id } = await paymentOf(3n)
  const { transferId } = await inBooks(tx =>
    tx
      .selectFrom('transferPayments')
      .select('transferId')
      .where('monthlyPaymentId', '=', id)
      .orderBy('transferId', 'desc')
      .executeTakeFirstOrThrow(),
  )
  accepted(await inBooks(tx => requestRecall(tx, actor, transferId, '口座名義の誤り')))
  accepted(await inBooks(tx => decideRecall(tx, colleague, transferId, true)))
  expect(codes(await inBooks(tx => markPaid(tx, actor, [id], today(clock))))).toEqual(['payment/status-not-allowed'])
  accepted(await inBooks(tx => noteBankRecall(tx, actor, transferId, '受付番号 1')))
  const excludedPaymentIds = await inBooks(async tx =>
    (await tx.selectFrom('monthlyPayments').select('id').where('id', '<>', id).execute()).map(row => row.id),
  )
  const again = accepted(
    await inBooks(tx => createTransferBatch(tx, actor, request({ excludedPaymentIds }), undefined)),
  )
  accepted(await inBooks(tx => cancelTransferBatch(tx, actor, again.id, '銀行が支払ったため')))
  clock.set('2026-08-03T12:00:00+09:00')
  const carriedOut = { on: JULY, reason: '銀行の明細で確認' }
  accepted(await inBooks(tx => requestRecalledPayment(tx, actor, transferId, carriedOut)))
  const byHand = () => inBooks(tx => markPaid(tx, actor, [id], day('2026-08-03')))
  expect(codes(await byHand())).toEqual(['transfer/recalled-payment-waits'])
  accepted(await inBooks(tx => decideRecalledPayment(tx, colleague, transferId, false)))
  expect(accepted(await byHand())).toMatchObject([{ id, after: 'paid' }])
})

test('the bank’s word that it will not pay is not noted of a transfer that it has paid', async () => {
  clock.set('2026-07-20T12:00:00+09:00')
  const colleague = { clock, actorUid: randomUUID() }
  const { id } = await paymentOf(4n)
  const { transferId } = await inBooks(tx =>
    tx
      .selectFrom('transferPayments')
      .select('transferId')
      .where('monthlyPaymentId', '=', id)
      .orderBy('transferId', 'desc')
      .executeTakeFirstOrThrow(),
  )
  accepted(await inBooks(tx => requestRecall(tx, actor, transferId, '口座名義の誤り')))
  accepted(await inBooks(tx => decideRecall(tx, colleague, transferId, true)))
  clock.set('2026-08-03T12:00:00+09:00')
  accepted(await inBooks(tx => requestRecalledPayment(tx, actor, transferId, { on: JULY, reason: '銀行の明細で確認' })))
  accepted(await inBooks(tx => decideRecalledPayment(tx, colleague, transferId, true)))
  expect(await paymentOf(4n)).toMatchObject({ paymentStatus: 'paid', paidOn: '2026-07-31' })
  expect(codes(await inBooks(tx => noteBankRecall(tx, actor, transferId, '受付番号 2')))).toEqual([
    'transfer/state-not-allowed',
  ])
})
