import { randomInt, randomUUID } from 'node:crypto'
import { type Day, day } from '@pc/domain/month/day.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { correctReturnFee } from '@pc/features/payments/core/server/return-fees.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { decideRecall, requestRecall } from '@pc/features/payments/transfers/server/recall-transfers.ts'
import {
  decideRecalledPayment,
  requestRecalledPayment,
} from '@pc/features/payments/transfers/server/recalled-payments.ts'
import { recordSplitResults } from '@pc/features/payments/transfers/server/record-split-results.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { resendRecords } from '@pc/features/payments/transfers/server/resend-records.ts'
import { today } from '@pc/platform/clock.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/**
 * Random histories of transfers at the bank, whole ones and ones with several records. The expected balances of the
 * bank account and of return fees are added up here from the events of each debit, and compared with the journal after
 * every step.
 */
const fixture = await startTransferFixture([
  sampleAgreement(11n, [sampleRule(1101n, 1_818_182n)], { organizationId: 11n }),
  sampleAgreement(12n, [sampleRule(1201n, 2_500_000n)], { organizationId: 12n, terms: { feePaidBy: 'publisher' } }),
])
const { clock, actor, inBooks, paymentOf, violations, close } = fixture
afterAll(close)
const USUAL = 880n
beforeAll(() =>
  inBooks(async tx => {
    await tx.updateTable('transferSources').set({ transferLimitYen: 1_000_000n }).execute()
    await tx.updateTable('paymentSettings').set({ returnFeeYen: USUAL }).execute()
  }),
)

const colleague = { clock, actorUid: randomUUID() }
const DAYS = [
  '2026-08-03',
  '2026-08-05',
  '2026-08-07',
  '2026-08-13',
  '2026-08-18',
  '2026-08-20',
  '2026-08-25',
  '2026-08-27',
]
const WHY = { by: 'hand', reason: '銀行の画面で確認' } as const
const pick = <T>(list: readonly T[]): T | undefined => list[randomInt(0, Math.max(1, list.length))]

/** One debit of the bank: a transfer, or a record of a transfer with several. */
interface Unit {
  readonly transferId: bigint
  readonly number: number
  readonly state: string
  readonly amountYen: bigint
  readonly feeYen: bigint
  readonly returnedOn: Day | null
  readonly isSplit: boolean
}
const nameOf = (unit: { transferId: bigint; number: number }) =>
  unit.number === 0 ? `${unit.transferId}` : `${unit.transferId}-${unit.number}`

async function readUnits(): Promise<ReadonlyMap<string, Unit>> {
  const { rows } = await inBooks(tx =>
    sql<Unit>`
      select id as transfer_id, 0 as number, state, transfer_amount_yen as amount_yen, fee_yen, returned_on,
        false as is_split from transfers where record_count = 1
      union all select transfer_id, number, state, amount_yen, fee_yen, returned_on, true from transfer_records
      order by 1, 2`.execute(tx),
  )
  return new Map(rows.map(row => [nameOf(row), row]))
}

async function readJournal() {
  const lines: {
    voucher: string
    on: string
    isDebit: boolean
    account: string
    yen: bigint
    what: string
    of: string
  }[] = []
  for (const month of [202607, 202608, 202609]) {
    const requested = { month: month as never, scope: 'settlement', format: 'generic', encoding: 'utf8' } as const
    const file = await inBooks(tx => exportJournal(tx, requested))
    if (!file.ok) continue
    for (const row of Buffer.from(file.value.bytes).toString().split('\r\n').slice(1, -1)) {
      const [voucher = '', on = '', , side, account = '', yen = '0', , , , what = '', of = ''] = row.split(',')
      lines.push({ voucher: `${month}/${voucher}`, on, isDebit: side === '借方', account, yen: BigInt(yen), what, of })
    }
  }
  return lines
}
type Line = Awaited<ReturnType<typeof readJournal>>[number]
const netOf = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + (line.isDebit ? line.yen : -line.yen), 0n)

let bankYen = 0n
/** The fees of each return as this file counts them, in the order of the returns. */
const fees: { of: string; on: string; feeYen: bigint; ref: { transferId: bigint; number: number }; time: number }[] = []
let known = new Map<string, Unit>() as ReadonlyMap<string, Unit>
const seen = { twice: 0, records: 0, corrected: 0, again: 0 }

/** Compares the books with the events of each debit since the last look. */
async function look(feeYen: bigint) {
  const units = await readUnits()
  for (const [name, unit] of units) {
    const before = known.get(name)?.state
    if (before === unit.state) continue
    if (unit.state === 'paid') bankYen -= unit.amountYen + unit.feeYen
    if (unit.state !== 'returned') continue
    if (before === 'paid') bankYen += unit.amountYen
    const time = fees.filter(each => each.of === name).length + 1
    if (time > 1) seen.twice++
    if (unit.isSplit) seen.records++
    fees.push({ of: name, on: unit.returnedOn!, feeYen, ref: unit, time })
  }
  known = units
  const lines = await readJournal()
  for (const [voucher, entry] of Map.groupBy(lines, line => line.voucher)) expect(netOf(entry), voucher).toBe(0n)
  const charged = fees.reduce((sum, fee) => sum + fee.feeYen, 0n)
  expect(netOf(lines.filter(line => line.account === '普通預金'))).toBe(bankYen - charged)
  const booked = lines.filter(line => line.what === '組戻手数料' && line.account === '普通預金')
  const said = (of: string, on: string, yen: bigint) => `${of} ${on} ${yen}`
  expect(booked.map(line => said(line.of, line.on, line.yen)).toSorted()).toEqual(
    fees
      .filter(fee => fee.feeYen > 0n)
      .map(fee => said(`transfer:${fee.of}`, fee.on, fee.feeYen))
      .toSorted(),
  )
  return lines
}

/** One random action of a person or the bank on a debit; undefined when none is possible. */
async function step(unit: Unit) {
  const on = today(clock)
  const returnFeeYen = pick([undefined, 0n, 660n, 1_100n, 100_000n])
  const outcome = pick(['paid', 'returned'] as const)!
  const settlement = { outcome, on, ...WHY, ...(outcome === 'returned' ? { returnFeeYen } : {}) }
  const ref = { transferId: unit.transferId, number: unit.number }
  const way = randomInt(0, 10)
  if (way < 2 && fees.length > 0) {
    const fee = pick(fees)!
    const corrected = BigInt(randomInt(0, 100_001))
    expect(codes(await inBooks(tx => correctReturnFee(tx, clock, fee.ref, 100_001n, fee.time)))).toHaveLength(1)
    accepted(await inBooks(tx => correctReturnFee(tx, clock, fee.ref, corrected, fee.time)))
    fee.feeYen = corrected
    seen.corrected++
  } else if (way < 4 && unit.isSplit) {
    const sent = await inBooks(tx => resendRecords(tx, actor, unit.transferId, on))
    if (!sent.ok) return
    accepted(await inBooks(tx => exportTransferBatch(tx, actor, sent.value.id)))
    seen.again++
  } else if (way < 5 || !unit.isSplit) {
    await inBooks(tx => recordTransferResults(tx, actor, [unit.transferId], settlement))
  } else await inBooks(tx => recordSplitResults(tx, actor, [ref], settlement))
  await look(returnFeeYen ?? USUAL)
}

test.each(DAYS)('sent for %s, and everything that may become of it', { timeout: 120_000 }, async text => {
  const on = day(text)
  clock.set(`${new Date(Date.parse(`${text}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)}T10:00:00+09:00`)
  const wanted = request({ transferOn: on, excludedPaymentIds: [(await paymentOf(5n)).id], dueOn: JULY })
  const batch = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, batch.id)))
  await look(USUAL)
  const live = () => [...known.values()].filter(each => each.state === 'exported' || each.state === 'paid')
  const recalled: bigint[] = []
  for (const id of new Set(live().map(each => each.transferId))) {
    if (randomInt(0, 2) === 0) continue
    accepted(await inBooks(tx => requestRecall(tx, actor, id, '口座の誤り')))
    accepted(await inBooks(tx => decideRecall(tx, colleague, id, true)))
    recalled.push(id)
    await look(USUAL)
  }
  clock.set(`${text}T15:00:00+09:00`)
  for (const id of recalled) {
    if (randomInt(0, 3) === 0) continue
    accepted(await inBooks(tx => requestRecalledPayment(tx, actor, id, { on, reason: '銀行の画面で確認' })))
    accepted(await inBooks(tx => decideRecalledPayment(tx, colleague, id, true)))
    await look(USUAL)
  }
  for (let turn = 0; turn < 25; turn++) {
    if (turn === 12) clock.set(new Date(Date.parse(`${text}T15:00:00+09:00`) + 86_400_000).toISOString())
    const ids = new Set(live().map(each => each.transferId))
    const unit = pick([...known.values()].filter(each => ids.has(each.transferId)))
    if (unit) await step(unit)
  }
  // Everything comes back: only fees remain in the books.
  for (const id of new Set(live().map(each => each.transferId))) {
    const settlement = { outcome: 'returned', on: today(clock), ...WHY } as const
    accepted(await inBooks(tx => recordTransferResults(tx, actor, [id], settlement)))
    await look(USUAL)
  }
  const lines = await look(USUAL)
  expect(netOf(lines.filter(line => line.account === '未払金'))).toBe(0n)
  expect(netOf(lines.filter(line => line.account === '預り金'))).toBe(0n)
  expect(await violations()).toEqual([])
})

test('the histories had what they are about', () => {
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
})
