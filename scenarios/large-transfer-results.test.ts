import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { importTransferResult } from '@pc/features/payments/transfers/server/import-transfer-result.ts'
import { MAX_RESULTS } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { afterAll, expect, test } from 'vitest'
import { accepted, request, startTransferFixture } from './transfer-fixture.ts'

const { tested, clock, actor, inBooks, paymentOf, close } = await startTransferFixture()
afterAll(close)

test('an answer of the bank about more transfers than people settle at once is booked as a whole', {
  timeout: 120_000,
}, async () => {
  const wanted = request({ excludedPaymentIds: [(await paymentOf(5n)).id] })
  const { id: batchId } = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, batchId)))
  const { id: paymentId, monthlyAgreementSnapshotId } = await paymentOf(4n)
  const { transferId } = await inBooks(tx =>
    tx
      .selectFrom('transferPayments')
      .select('transferId')
      .where('monthlyPaymentId', '=', paymentId)
      .executeTakeFirstOrThrow(),
  )
  // The same transfer many times, each with its own payment.
  await withClient(tested.adminUrl, async client => {
    await client.query('set session_replication_role = replica')
    const copies = (table: string, where: string, changes: string) =>
      client.query(`insert into ${table} overriding system value
        select c.* from ${table} o cross join generate_series(1000001, ${1_000_000 + MAX_RESULTS}) n
          cross join jsonb_populate_record(null::${table}, to_jsonb(o) || jsonb_build_object(${changes})) c where ${where}`)
    await copies(
      'monthly_payments',
      `o.id = ${paymentId}`,
      `'id', n, 'agreement_id', n, 'monthly_agreement_snapshot_id', n`,
    )
    await copies('monthly_agreement_snapshots', `o.id = ${monthlyAgreementSnapshotId}`, `'id', n, 'agreement_id', n`)
    await copies('transfers', `o.id = ${transferId}`, `'id', n`)
    await copies('transfer_payments', `o.transfer_id = ${transferId}`, `'transfer_id', n, 'monthly_payment_id', n`)
    // Autovacuum does this after a while.
    await client.query('analyze')
  })
  const transfers = await inBooks(tx =>
    tx
      .selectFrom('transfers')
      .select(['id', 'transferAmountYen', 'partnerName'])
      .where('state', '=', 'exported')
      .execute(),
  )
  expect(transfers.length).toBeGreaterThan(MAX_RESULTS)
  clock.set('2026-07-31T18:00:00+09:00')
  const lines = transfers.map(each => [each.id, each.partnerName, each.transferAmountYen, '支払済み', ''].join(','))
  const text = ['振込番号,支払先,振込額,結果,理由', ...lines].join('\r\n')
  const file = { name: 'kekka.csv', content: Buffer.from(text), on: null }
  const booked = accepted(await inBooks(tx => importTransferResult(tx, actor, file)))
  expect(booked).toMatchObject({ paid: transfers.length, unknown: 0 })
})
