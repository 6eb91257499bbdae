import { day } from '@pc/domain/month/day.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { readLegalDeadlines } from '@pc/features/payments/transfers/server/legal-deadlines.ts'
import { recordSplitResults } from '@pc/features/payments/transfers/server/record-split-results.ts'
import { resendRecords } from '@pc/features/payments/transfers/server/resend-records.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** Transfers that were made in time but whose money has not reached the payee. */
const { actor, clock, inBooks, paymentOf, close } = await startTransferFixture(
  [sampleAgreement(14n, [sampleRule(1401n, 1_818_182n)], { organizationId: 14n })],
  tx => tx.updateTable('agreements').set({ freelanceCoverage: 'covered' }).where('id', '=', 14n).execute(),
)
afterAll(close)
beforeAll(() => inBooks(tx => tx.updateTable('transferSources').set({ transferLimitYen: 1_000_000n }).execute()))

const lateOn = async (on: string) =>
  (await inBooks(tx => readLegalDeadlines(tx, day(on))))
    .filter(each => each.agreementId === 14n && each.oldestMonth === 202606)
    .map(each => each.late)
let transferId: bigint

test('a file that was never written has sent nothing', async () => {
  const { id } = await paymentOf(14n)
  const others = await inBooks(tx =>
    tx.selectFrom('monthlyPayments').select('id').where('dueOn', '=', JULY).where('id', '<>', id).execute(),
  )
  const wanted = request({ excludedPaymentIds: others.map(row => row.id) })
  const batch = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  expect(await lateOn('2026-07-31')).toEqual([])
  expect(await lateOn('2026-08-01')).toEqual(['not-sent'])
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, batch.id)))
  expect(await lateOn('2026-08-01')).toEqual([])
  const record = await inBooks(tx =>
    tx.selectFrom('transferRecords').select('transferId').where('batchId', '=', batch.id).executeTakeFirstOrThrow(),
  )
  transferId = record.transferId
})

test('a part that came back is late until it is paid: returned, and then sent late', async () => {
  clock.set('2026-08-03T12:00:00+09:00')
  const by = { on: day('2026-08-03'), reason: '銀行の画面で確認', by: 'hand' } as const
  const record = (number: number, outcome: 'paid' | 'returned', on = by.on) =>
    inBooks(tx => recordSplitResults(tx, actor, [{ transferId, number }], { ...by, outcome, on }))
  accepted(await record(1, 'paid'))
  expect(await lateOn('2026-08-03')).toEqual([])
  accepted(await record(2, 'returned'))
  expect(await lateOn('2026-08-03')).toEqual(['returned'])
  const resend = (isLateAcknowledged?: boolean) =>
    inBooks(tx => resendRecords(tx, actor, transferId, day('2026-08-05'), isLateAcknowledged))
  const unaware = await resend()
  expect(codes(unaware), 'past the last legal day only knowingly').toEqual(['transfer/late-by-law'])
  if (!unaware.ok) expect(unaware.refusals[0]!.path).toEqual(['isLateAcknowledged'])
  const again = accepted(await resend(true))
  expect(again.lateByLaw).toBe(1)
  expect(await lateOn('2026-08-03')).toEqual(['sent-late'])
  expect(await lateOn('2026-08-06'), 'its file was not written').toEqual(['not-sent'])
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, again.id)))
  expect(await lateOn('2026-08-06')).toEqual(['sent-late'])
  clock.set('2026-08-05T18:00:00+09:00')
  accepted(await record(3, 'paid', day('2026-08-05')))
  expect(await lateOn('2026-08-06')).toEqual([])
})
