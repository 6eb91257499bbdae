import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'

/** The demonstration's payer, an invented company, on statements and in transfer files. */
export const DEMO_PAYER = { name: '株式会社デモメディア', reading: 'カブシキガイシャデモメディア' }

/** Creates the platform's bank account and the bank's price list, all invented. */
export async function prepareDemoBank(tx: Transaction): Promise<void> {
  await tx
    .insertInto('transferSources')
    .values({
      validFromMonth: 202012,
      clientCode: '0000012345',
      clientName: accepted(toAccountHolderKana(DEMO_PAYER.reading)),
      bankCode: '0001',
      bankName: 'ﾐｽﾞﾎ',
      branchCode: '001',
      branchName: 'ﾄｳｷﾖｳｴｲｷﾞﾖｳﾌﾞ',
      accountType: 'ordinary',
      accountNumber: '1234567',
      hasLineBreaks: true,
      resultMarkOffset: 0,
      resultMarkLength: 1,
      resultPaidMarks: ['0'],
      resultReturnedMarks: ['8'],
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const fees = [
    ['same_branch', 0n, 0n],
    ['same_bank', 0n, 110n],
    ['other_bank', 0n, 440n],
    ['other_bank', 30_000n, 660n],
  ] as const
  const common = { sourceBankCode: '0001', validFrom: day('2020-01-01') }
  await tx
    .insertInto('transferFees')
    .values(fees.map(([destination, fromAmountYen, feeYen]) => ({ ...common, destination, fromAmountYen, feeYen })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Exports and pays what was due before today, one file for each due day. One transfer of the last file is returned;
 * some of the newest due day stay in earlier states.
 */
export async function payDemoTransfers(database: Database, clock: Clock, actorUid: string): Promise<void> {
  const due = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthlyPayments')
      .select('dueOn')
      .distinct()
      .where('paymentStatus', '=', 'scheduled')
      .where('dueOn', 'is not', null)
      .orderBy('dueOn')
      .execute(),
  )
  const newest = due.at(-1)?.dueOn
  const past = due.filter(({ dueOn }) => dueOn !== newest && dueOn! < today(clock))
  for (const [index, { dueOn }] of past.entries()) {
    await payDay(database, dueOn as Day, actorUid, index === past.length - 1)
  }
  if (!newest) return
  await showTransferStates(database, clock, newest as Day, actorUid)
  if (newest < today(clock)) await payDay(database, newest as Day, actorUid, false)
}

/** Sets up a cancelled, an exported and a planned transfer. The rest is left for visitors. */
async function showTransferStates(database: Database, clock: Clock, dueOn: Day, actorUid: string): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    const known = await tx.selectFrom('transfers').select('id').where('state', '=', 'cancelled').executeTakeFirst()
    if (known) return
    const early = Date.parse(`${addDays(dueOn, -4)}T10:30:00+09:00`)
    const actor = { clock: { now: () => Math.min(clock.now(), early) }, actorUid }
    const request = { dueOn, transferOn: dueOn, accounts: new Map<bigint, bigint>() }
    const plan = accepted(await planBatch(tx, actor.clock, { ...request, excludedPaymentIds: [] }))
    const [first, second] = plan.transfers
    if (!first || !second) return
    const make = async ({ parts }: typeof first) => {
      const chosen = new Set(parts.map(part => part.monthlyPaymentId))
      const excludedPaymentIds = [...plan.payments.keys()].filter(id => !chosen.has(id))
      return accepted(await createTransferBatch(tx, actor, { ...request, excludedPaymentIds }, undefined)).id
    }
    accepted(await cancelTransferBatch(tx, actor, await make(first), '内容を改めて作り直すため'))
    accepted(await exportTransferBatch(tx, actor, await make(first)))
    await make(second)
  })
}

async function payDay(database: Database, dueOn: Day, actorUid: string, hasReturned: boolean): Promise<void> {
  const at = (days: number) => ({ now: () => Date.parse(`${addDays(dueOn, days)}T10:30:00+09:00`) })
  await database.inScope(SYSTEM, async tx => {
    const request = { dueOn, transferOn: dueOn, accounts: new Map<bigint, bigint>() }
    const plan = accepted(await planBatch(tx, at(-4), { ...request, excludedPaymentIds: [] }))
    const excludedPaymentIds = plan.problems.flatMap(problem => problem.paymentIds)
    if (plan.transfers.length === 0) return
    const maker = { clock: at(-4), actorUid }
    const { id } = accepted(await createTransferBatch(tx, maker, { ...request, excludedPaymentIds }, undefined))
    accepted(await exportTransferBatch(tx, { clock: at(-3), actorUid }, id))
    const transfers = await tx.selectFrom('transfers').select('id').where('batchId', '=', id).orderBy('id').execute()
    const ids = transfers.map(transfer => transfer.id)
    const returned = hasReturned && ids.length > 2 ? ids.slice(1, 2) : []
    const settle = { on: dueOn, by: 'file' } as const
    const paid = ids.filter(each => !returned.includes(each))
    const settler = { clock: at(1), actorUid }
    accepted(await recordTransferResults(tx, settler, paid, { ...settle, outcome: 'paid', reason: '' }))
    accepted(
      await recordTransferResults(tx, settler, returned, { ...settle, outcome: 'returned', reason: '口座名義相違' }),
    )
  })
}

function accepted<T>(result: { ok: true; value: T } | { ok: false; refusals: readonly unknown[] }): T {
  if (result.ok) return result.value
  throw new Error(`the demonstration's transfers were refused: ${JSON.stringify(result.refusals)}`)
}
