import { randomUUID } from 'node:crypto'
import { day } from '@pc/domain/month/day.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { markPaid } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { decideRecall, noteBankRecall, requestRecall } from '@pc/features/payments/transfers/server/recall-transfers.ts'
import {
  decideRecalledPayment,
  requestRecalledPayment,
} from '@pc/features/payments/transfers/server/recalled-payments.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { readWithholdingMonths } from '@pc/features/payments/transfers/server/withholding-months.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/**
 * The bank carried out a recalled transfer whose payments had been sent in another one. Transfer 5 pays an individual
 * 1,500,000 yen for June. The tax withheld must be the same in the journal and in the form for the tax office, month by
 * month, however the second payment is settled.
 */
const W = 204_200n
const PAID = 1_650_000n - W
let fixture: Awaited<ReturnType<typeof startTransferFixture>>
let second = 0n
beforeEach(async () => {
  fixture = await startTransferFixture()
  const { inBooks, actor, clock, paymentOf } = fixture
  const colleague = { clock, actorUid: randomUUID() }
  await fixture.sendBatch()
  accepted(await inBooks(tx => requestRecall(tx, actor, 5n, '口座名義の誤り')))
  accepted(await inBooks(tx => decideRecall(tx, colleague, 5n, true)))
  accepted(await inBooks(tx => noteBankRecall(tx, actor, 5n, '受付 K-2026-17')))
  const excludedPaymentIds = [(await paymentOf(5n)).id]
  const again = request({ months: [202606 as never], excludedPaymentIds })
  const { id } = accepted(await inBooks(tx => createTransferBatch(tx, actor, again, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, id)))
  second = (
    await inBooks(tx => tx.selectFrom('transfers').select('id').where('batchId', '=', id).executeTakeFirstOrThrow())
  ).id
  clock.set('2026-08-03T12:00:00+09:00')
  const paid = { outcome: 'paid', on: JULY, reason: '銀行の照会', by: 'hand' } as const
  accepted(await inBooks(tx => recordTransferResults(tx, actor, [4n, 6n, second], paid)))
})
afterEach(() => fixture.close())

const claimPaid = () =>
  fixture.inBooks(tx => requestRecalledPayment(tx, fixture.actor, 5n, { on: JULY, reason: '銀行の画面で確認' }))
const confirmPaid = () =>
  fixture.inBooks(tx => decideRecalledPayment(tx, { clock: fixture.clock, actorUid: randomUUID() }, 5n, true))

/** The month's journal for the individual by account, debits minus credits, without fees. */
async function booked(tx: Transaction, month: number): Promise<Readonly<Record<string, bigint>>> {
  const requested = { month: month as never, scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
  const file = await exportJournal(tx, requested)
  const net: Record<string, bigint> = {}
  const { name } = await tx.selectFrom('organizations').select('name').where('id', '=', 3n).executeTakeFirstOrThrow()
  const rows = file.ok ? Buffer.from(file.value.bytes).toString().split('\r\n').slice(1, -1) : []
  for (const row of rows.filter(each => each.split(',').includes(name))) {
    const [, , , side, account = '', yen = '0'] = row.split(',')
    net[account] = (net[account] ?? 0n) + (side === '借方' ? BigInt(yen) : -BigInt(yen))
  }
  return net
}
/** The bank's fees, which the platform bears, are subtracted. */
function sumOf(...months: readonly Readonly<Record<string, bigint>>[]) {
  const of = (account: string) => months.reduce((sum, net) => sum + (net[account] ?? 0n), 0n)
  return { 未払金: of('未払金'), 預り金: of('預り金'), bank: of('普通預金') + of('支払手数料') + of('仮払消費税') }
}
/** The form for the tax office: the tax withheld, and the tax to be claimed back. */
async function forms(tx: Transaction, month: number) {
  const rows = await readWithholdingMonths(tx, 2026)
  const { payees, withholdingYen, returnedYen } = rows.find(
    each => each.month === month && each.residence === 'resident',
  )!
  return { payees, withholdingYen, returnedYen }
}

test('the other payment comes back: paid once, on its day, whenever the money is back', async () => {
  accepted(await claimPaid())
  expect(codes(await confirmPaid()), 'two are paid').toEqual(['transfer/recalled-sent-again'])
  // July's tax is payable on 10 August.
  for (const on of ['2026-08-10', '2026-08-12']) {
    const undone = new Error('undone')
    await fixture
      .inBooks(async tx => {
        fixture.clock.set(`${on}T12:00:00+09:00`)
        const back = { outcome: 'returned', on: day(on), reason: '二重払いの返金', by: 'hand' } as const
        accepted(await recordTransferResults(tx, fixture.actor, [second], back))
        const colleague = { clock: fixture.clock, actorUid: randomUUID() }
        accepted(await decideRecalledPayment(tx, colleague, 5n, true))
        const [july, august] = [await booked(tx, 202607), await booked(tx, 202608)]
        expect(sumOf(july, august), on).toEqual({ 未払金: 1_650_000n, 預り金: -W, bank: -PAID })
        expect(await forms(tx, 202607), on).toEqual({ payees: 1n, withholdingYen: W, returnedYen: 0n })
        expect(await forms(tx, 202608), on).toEqual({ payees: 0n, withholdingYen: 0n, returnedYen: 0n })
        throw undone
      })
      .catch(error => {
        if (error !== undone) throw error
      })
  }
})

test('one that came back in the ordinary way is claimed back as before', async () => {
  fixture.clock.set('2026-08-12T12:00:00+09:00')
  await fixture.inBooks(async tx => {
    const back = { outcome: 'returned', on: day('2026-08-12'), reason: '口座なし', by: 'hand' } as const
    accepted(await recordTransferResults(tx, fixture.actor, [second], back))
    expect(await forms(tx, 202607)).toEqual({ payees: 1n, withholdingYen: W, returnedYen: 0n })
    expect(await forms(tx, 202608)).toEqual({ payees: 0n, withholdingYen: 0n, returnedYen: W })
  })
})

test('the payee keeps it, and the next payment is set off: it is recorded by hand, and each is taxed once', async () => {
  accepted(await claimPaid())
  const next = await fixture.paymentOf(3n, 202607)
  fixture.clock.set('2026-08-31T12:00:00+09:00')
  accepted(await fixture.inBooks(tx => markPaid(tx, fixture.actor, [next.id], day('2026-08-31'))))
  expect(codes(await confirmPaid()), 'the claim is settled, never paid a second time').toEqual([
    'transfer/recalled-sent-again',
  ])
  await fixture.inBooks(async tx => {
    const once = { 未払金: 1_650_000n, 預り金: -W, bank: -PAID }
    expect([sumOf(await booked(tx, 202607)), sumOf(await booked(tx, 202608))]).toEqual([once, once])
    for (const month of [202607, 202608]) {
      expect(await forms(tx, month)).toEqual({ payees: 1n, withholdingYen: W, returnedYen: 0n })
    }
  })
  accepted(
    await fixture.inBooks(tx => decideRecalledPayment(tx, { clock: fixture.clock, actorUid: randomUUID() }, 5n, false)),
  )
  expect(await fixture.violations()).toEqual([])
})
