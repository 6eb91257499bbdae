import { day } from '@pc/domain/month/day.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { recordSplitResults } from '@pc/features/payments/transfers/server/record-split-results.ts'
import { resendRecords } from '@pc/features/payments/transfers/server/resend-records.ts'
import { batchFindings } from '@pc/features/payments/transfers/server/transfer-law.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** Banks close and merge branches between making a bank file and writing it, or before a record is sent again. */
const { actor, clock, inBooks, paymentOf, close } = await startTransferFixture([
  sampleAgreement(14n, [sampleRule(1401n, 1_818_182n)], { organizationId: 14n }),
])
afterAll(close)
beforeAll(() => inBooks(tx => tx.updateTable('transferSources').set({ transferLimitYen: 1_000_000n }).execute()))

/** Marks the only branch of all payees as gone, or not. */
const setGone = (table: 'banks' | 'bankBranches', isGone: boolean) =>
  inBooks(tx => tx.updateTable(table).set({ isGone }).execute())
afterEach(async () => {
  await setGone('banks', false)
  await setGone('bankBranches', false)
})
const wanted = async () => {
  const { id } = await paymentOf(14n)
  const others = await inBooks(tx =>
    tx.selectFrom('monthlyPayments').select('id').where('dueOn', '=', JULY).where('id', '<>', id).execute(),
  )
  return request({ excludedPaymentIds: others.map(row => row.id) })
}
const findingsOf = async (batchId: bigint) =>
  (await inBooks(tx => batchFindings(tx, batchId))).map(each => each.refusal.code)
const write = (batchId: bigint) => inBooks(tx => exportTransferBatch(tx, actor, batchId))

test.each(['banks', 'bankBranches'] as const)(
  'a file is not written to a payee whose place in %s is gone',
  async of => {
    const { id } = accepted(await inBooks(async tx => createTransferBatch(tx, actor, await wanted(), undefined)))
    expect(await findingsOf(id)).toEqual([])
    await setGone(of, true)
    expect(await findingsOf(id)).toEqual(['transfer/branch-gone-since'])
    expect(codes(await write(id))).toEqual(['transfer/branch-gone-since'])
    expect(await inBooks(tx => exportTransferBatch(tx, actor, id, { isLateAcknowledged: true }))).toMatchObject({
      refusals: [{ data: { payee: expect.any(String), bank: expect.any(String), branch: expect.any(String) } }],
    })
    expect(accepted(await inBooks(tx => cancelTransferBatch(tx, actor, id, '支店の廃止'))).transfers).toBe(2)
  },
)

test('a part that came back is not sent again to a branch that is gone, and the file of one that is planned is not written', async () => {
  const { id } = accepted(await inBooks(async tx => createTransferBatch(tx, actor, await wanted(), undefined)))
  const first = accepted(await write(id))
  await setGone('bankBranches', true)
  // The bank gets the same file again.
  expect(accepted(await write(id))).toEqual({ ...first, isFirst: false })
  expect(await findingsOf(id)).toEqual([])
  const { transferId } = await inBooks(tx =>
    tx.selectFrom('transferRecords').select('transferId').where('batchId', '=', id).executeTakeFirstOrThrow(),
  )
  clock.set('2026-08-03T12:00:00+09:00')
  const back = { outcome: 'returned', on: day('2026-08-03'), reason: '該当口座なし', by: 'hand' } as const
  accepted(await inBooks(tx => recordSplitResults(tx, actor, [{ transferId, number: 2 }], back)))
  const again = () => inBooks(tx => resendRecords(tx, actor, transferId, day('2026-08-05')))
  expect(codes(await again())).toEqual(['transfer/record-branch-gone'])
  await setGone('bankBranches', false)
  const resent = accepted(await again())
  await setGone('bankBranches', true)
  expect(await findingsOf(resent.id)).toEqual(['transfer/branch-gone-since'])
  expect(codes(await write(resent.id))).toEqual(['transfer/branch-gone-since'])
  await setGone('bankBranches', false)
  expect(await findingsOf(resent.id)).toEqual([])
  expect(accepted(await write(resent.id)).isFirst).toBe(true)
})
