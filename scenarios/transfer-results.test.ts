import { day } from '@pc/domain/month/day.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import {
  importTransferResult,
  previewTransferResult,
} from '@pc/features/payments/transfers/server/import-transfer-result.ts'
import { markPaid, markReturned } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { listTransfers } from '@pc/features/payments/transfers/server/transfer-store.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** What happens to transfers at the bank; every test continues where the one before ended. */
const { clock, actor, inBooks, paymentOf, violations, sendBatch, marked, close } = await startTransferFixture()
afterAll(close)

beforeAll(sendBatch)

describe('what the bank answers', () => {
  const statesOf = async () =>
    (await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))).nodes.map(each => each.state)

  test('the future, unknown marks and foreign lines book nothing', async () => {
    const file = await marked({ 4: '0', 5: '7' })
    const early = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(early.rows.map(row => row.effect)).toEqual(['conflict', 'unknown', 'unknown'])
    expect(early.rows[0]!.note).toMatch(/^振込4の振込指定日（2026年7月31日）はまだ来ていません。/)
    expect(codes(await inBooks(tx => importTransferResult(tx, actor, file)))).toEqual(['transfer/result-not-bookable'])
    clock.set('2026-08-03T12:00:00+09:00')
    const preview = accepted(await inBooks(tx => previewTransferResult(tx, clock, file)))
    expect(preview.rows.map(row => row.effect)).toEqual(['book', 'unknown', 'unknown'])
    const foreign = {
      name: 'x.csv',
      on: JULY,
      content: Buffer.from('振込番号,振込額,結果\n999,5,支払済み\n4,7,支払済み\n'),
    }
    const rows = accepted(await inBooks(tx => previewTransferResult(tx, clock, foreign))).rows
    expect(rows.map(row => row.effect)).toEqual(['unknown', 'conflict'])
    expect(codes(await inBooks(tx => importTransferResult(tx, actor, foreign)))).toEqual([
      'transfer/result-not-bookable',
    ])
    const { nodes } = await inBooks(tx => listTransfers(tx, 2n, { limit: 10, offset: 0 }))
    const { transferAmountYen: amount } = nodes.find(({ id }) => id === 4n)!
    const misspelt = { name: 'x.csv', on: JULY, content: Buffer.from(`振込番号,振込額,結果\n4,${amount},OK\n`) }
    const seen = accepted(await inBooks(tx => previewTransferResult(tx, clock, misspelt)))
    expect(seen.rows).toMatchObject([{ effect: 'unknown', note: expect.stringContaining('「支払済み」か「組戻し」') }])
    expect(seen.missing, 'the line of 4 is there').toBe(nodes.length - 1)
    const broken = { name: 'x', on: JULY, content: Buffer.from([0xff, 0xff]) }
    expect(codes(await inBooks(tx => previewTransferResult(tx, clock, broken)))).toEqual(['transfer/result-unreadable'])
    expect(await statesOf()).toEqual(['exported', 'exported', 'exported'])
  })

  test('50 at the same time book it once; once more changes nothing', async () => {
    const file = await marked({ 4: '0', 5: '0', 6: '8' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => inBooks(tx => importTransferResult(tx, actor, file))),
    )
    const booked = answers.map(accepted)
    expect(booked.filter(each => each.recorded.length > 0)).toMatchObject([{ paid: 2, returned: 1, unknown: 0 }])
    expect(booked.filter(each => each.unchanged === 3)).toHaveLength(49)
    expect(await statesOf()).toEqual(['paid', 'paid', 'returned'])
    expect(await paymentOf(1n)).toMatchObject({ paymentStatus: 'paid', paidOn: '2026-07-31', paidAtMonth: 202607 })
    expect(await paymentOf(4n)).toMatchObject({ paymentStatus: 'returned', paidAtMonth: null })
    const imports = await inBooks(tx => tx.selectFrom('transferResultImports').selectAll().execute())
    expect(imports).toMatchObject([{ paid: 2, returned: 1, unchanged: 0, unknown: 0 }])
    expect(await violations()).toEqual([])
  })

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
          usableFrom: day('2026-08-02'),
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
    const now = clock.now()
    clock.set('2026-08-01T23:59:00+09:00')
    expect(codes(await inBooks(tx => createTransferBatch(tx, actor, right, undefined)))).toEqual([
      'transfer/account-waiting',
    ])
    clock.set('2026-08-02T00:00:00+09:00')
    expect((await inBooks(tx => planBatch(tx, clock, right))).ok).toBe(true)
    clock.set(new Date(now).toISOString())
    const made = accepted(await inBooks(tx => createTransferBatch(tx, actor, right, undefined)))
    expect(made).toMatchObject({ transfers: 1, payments: 1, totalYen: 21_560n })
    expect((await paymentOf(4n)).paymentStatus).toBe('scheduled')
    accepted(await inBooks(tx => exportTransferBatch(tx, actor, made.id)))
    const [transfer] = (await inBooks(tx => listTransfers(tx, made.id, { limit: 10, offset: 0 }))).nodes
    expect(transfer).toMatchObject({ holder: 'ｱﾀﾗｼｲ', accountNumber: '****042' })
    clock.set('2026-08-06T12:00:00+09:00')
    const settle = (outcome: 'paid' | 'returned', on: string, reason = '銀行の画面で確認') =>
      inBooks(tx => recordTransferResults(tx, actor, [transfer!.id], { outcome, on: day(on), reason, by: 'hand' }))
    expect(codes(await settle('paid', '2026-08-05', ' '))).toEqual(['transfer/reason-missing'])
    expect(codes(await settle('paid', '2026-08-04'))).toEqual(['transfer/paid-too-early'])
    accepted(await settle('paid', '2026-08-05'))
    expect(codes(await settle('paid', '2026-08-05'))).toEqual(['transfer/state-not-allowed'])
    expect(codes(await settle('returned', '2026-08-04'))).toEqual(['transfer/returned-too-early'])
    expect(await violations()).toEqual([])
  })
})

describe('without a bank file', () => {
  test('a payment that was paid by hand has a transfer of its own, and the month ends', async () => {
    const { id } = await paymentOf(5n)
    const other = await paymentOf(1n)
    expect(codes(await inBooks(tx => markPaid(tx, actor, [other.id], day('2026-08-05'))))).toEqual([
      'payment/status-not-allowed',
    ])
    accepted(await inBooks(tx => markPaid(tx, actor, [id], day('2026-08-05'))))
    const state = await inBooks(tx =>
      tx.selectFrom('monthStates').select('state').where('month', '=', 202606).executeTakeFirstOrThrow(),
    )
    expect(state.state).toBe('paid')
    expect(await violations()).toEqual([])
  })

  test('one payment of a transfer does not come back alone', async () => {
    const first = await paymentOf(1n)
    const second = await paymentOf(2n)
    expect(codes(await inBooks(tx => markReturned(tx, actor, [first.id], '口座なし')))).toEqual([
      'transfer/returned-with-others',
    ])
    accepted(await inBooks(tx => markReturned(tx, actor, [first.id, second.id], '口座なし')))
    expect(await violations()).toEqual([])
    const planned = request({
      dueOn: day('2026-08-31'),
      transferOn: day('2026-08-31'),
      excludedPaymentIds: [(await paymentOf(5n, 202607)).id],
    })
    accepted(await inBooks(tx => createTransferBatch(tx, actor, planned, undefined)))
    const { id } = await paymentOf(3n, 202607)
    expect(codes(await inBooks(tx => markPaid(tx, actor, [id], day('2026-08-05'))))).toEqual([
      'transfer/payment-in-transfer',
    ])
  })
})
