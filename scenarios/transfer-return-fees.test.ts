import { randomInt } from 'node:crypto'
import { imbalanceYen } from '@pc/domain/journal/journal-entry.ts'
import { returnFeeEntry } from '@pc/domain/journal/transfer-journal.ts'
import { day } from '@pc/domain/month/day.ts'
import { correctReturnFee } from '@pc/features/payments/core/server/return-fees.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import { importTransferResult } from '@pc/features/payments/transfers/server/import-transfer-result.ts'
import { recordTransferResults, resultChanges } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { listTransfers } from '@pc/features/payments/transfers/server/transfer-store.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, codes, JULY, startTransferFixture } from './transfer-fixture.ts'

/** What the bank charges for returned transfers. Transfers 4 to 6 are at the bank for 31 July. */
const { database, clock, actor, inBooks, violations, sendBatch, marked, close } = await startTransferFixture()
afterAll(close)
beforeAll(async () => {
  await sendBatch()
  await inBooks(tx => tx.updateTable('paymentSettings').set({ returnFeeYen: 880n }).execute())
  clock.set('2026-08-03T12:00:00+09:00')
})

const feeOf = async (id: bigint) =>
  (await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))).nodes
    .find(each => each.id === id)
    ?.returns.reduce((sum, each) => sum + each.feeYen, 0n)
const one = (transferId: bigint) => ({ transferId, number: 0 })
const returned = { outcome: 'returned', on: JULY, reason: '口座なし', by: 'hand' } as const
const journal = async () => {
  const request = { month: 202607 as never, scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
  const file = await inBooks(tx => exportJournal(tx, request))
  return file.ok ? Buffer.from(file.value.bytes).toString().split('\r\n') : []
}

test('a fee out of bounds is refused, and no result is recorded', async () => {
  for (const returnFeeYen of [-1n, 100_001n]) {
    const answer = await inBooks(tx => recordTransferResults(tx, actor, [4n], { ...returned, returnFeeYen }))
    expect(codes(answer)).toEqual(['transfer/return-fee-out-of-range'])
  }
  expect(codes(await inBooks(tx => correctReturnFee(tx, clock, one(4n), 880n))), 'has not come back').toEqual([
    'transfer/state-not-allowed',
  ])
  expect(codes(await inBooks(tx => correctReturnFee(tx, clock, one(99n), 880n)))).toEqual(['transfer/not-found'])
})

test('by hand it is what was entered, by file the usual one', async () => {
  const recorded = accepted(
    await inBooks(tx => recordTransferResults(tx, actor, [4n], { ...returned, returnFeeYen: 660n })),
  )
  expect(resultChanges(recorded, {})).toMatchObject([{ after: { state: 'returned', returnFeeYen: 660n } }])
  const file = { ...(await marked({ 5: '8' })), on: JULY }
  const booked = accepted(await inBooks(tx => importTransferResult(tx, actor, file)))
  expect(resultChanges(booked.recorded, {}), 'for the audit log').toMatchObject([{ after: { returnFeeYen: 880n } }])
  expect([await feeOf(4n), await feeOf(5n)]).toEqual([660n, 880n])
  expect(await violations()).toEqual([])
})

test('the journal books it on the day of the return, with its tax, against the bank', async () => {
  const rows = (await journal()).filter(row => row.includes('組戻手数料'))
  expect(rows.filter(row => row.includes('支払手数料'))).toHaveLength(2)
  expect(rows.filter(row => row.includes('普通預金'))).toHaveLength(2)
  expect(rows.every(row => row.includes('2026-07-31'))).toBe(true)
})

test('it is corrected later, twice at once as well, and back to nothing', async () => {
  await Promise.all([770n, 770n, 990n].map(fee => inBooks(tx => correctReturnFee(tx, clock, one(4n), fee))))
  expect([770n, 990n]).toContain(await feeOf(4n))
  expect(codes(await inBooks(tx => correctReturnFee(tx, clock, one(4n), 100_001n)))).toEqual([
    'transfer/return-fee-out-of-range',
  ])
  accepted(await inBooks(tx => correctReturnFee(tx, clock, one(4n), 0n)))
  expect((await journal()).filter(row => row.includes('組戻手数料') && row.includes('支払手数料'))).toHaveLength(1)
  expect(await violations()).toEqual([])
})

test('the database keeps it with a transfer that came back, on its day', async () => {
  const write = (transferId: bigint) =>
    database.inScope(SYSTEM, tx =>
      tx
        .insertInto('transferReturnFees')
        .values({ transferId, chargedOn: JULY, feeYen: 1n, updatedAt: new Date() })
        .execute(),
    )
  await expect(write(6n)).rejects.toMatchObject({ constraint: 'transfer_return_fee_kept' })
  const move = database.inScope(SYSTEM, tx =>
    tx
      .updateTable('transferReturnFees')
      .set({ chargedOn: day('2026-08-01') })
      .where('transferId', '=', 4n)
      .execute(),
  )
  await expect(move).rejects.toMatchObject({ constraint: 'transfer_return_fee_kept' })
})

test('its entry balances for any fee and rate', () => {
  for (let turn = 0; turn < 2_000; turn++) {
    const feeYen = BigInt(randomInt(1, 100_001))
    const entry = returnFeeEntry({ transferId: 1n, partnerName: '', recordNumber: 0 }, feeYen, JULY, randomInt(0, 21))
    expect(imbalanceYen(entry!)).toBe(0n)
  }
  expect(returnFeeEntry({ transferId: 1n, partnerName: '', recordNumber: 0 }, 0n, JULY, 10)).toBeNull()
})
