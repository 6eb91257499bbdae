import { toAccountHolderKana } from '@pc/domain/bank/account-holder-kana.ts'
import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { createTransferBatch } from '@pc/features/payments/server/create-transfer-batch.ts'
import { exportTransferBatch } from '@pc/features/payments/server/export-transfer-batch.ts'
import { planBatch } from '@pc/features/payments/server/plan-transfers.ts'
import { settleTransfers } from '@pc/features/payments/server/settle-transfers.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'

/** Who pays in the demonstration, on statements and in transfer files: an invented company. */
export const DEMO_PAYER = { name: '株式会社デモメディア', reading: 'カブシキガイシャデモメディア' }

/** The demonstration's bank: an invented account of the platform, and an invented price list. */
export async function prepareDemoBank(tx: Transaction): Promise<void> {
  await tx
    .insertInto('transferSources')
    .values({
      ...{
        validFromMonth: 202012,
        clientCode: '0000012345',
        clientName: accepted(toAccountHolderKana(DEMO_PAYER.reading)),
      },
      ...{ bankCode: '0001', bankName: 'ﾐｽﾞﾎ', branchCode: '001', branchName: 'ﾄｳｷﾖｳｴｲｷﾞﾖｳﾌﾞ' },
      ...{ accountType: 'ordinary', accountNumber: '1234567', hasLineBreaks: true },
      ...{ resultMarkOffset: 0, resultMarkLength: 1, resultPaidMarks: ['0'], resultReturnedMarks: ['8'] },
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

/** What was due before today went out in a file for each due day and was paid; of the last one a transfer came back. */
export async function payDemoTransfers(database: Database, clock: Clock, actorUid: string): Promise<void> {
  const due = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthlyPayments')
      .select('dueOn')
      .distinct()
      .where('paymentStatus', '=', 'scheduled')
      .where('dueOn', '<', today(clock))
      .orderBy('dueOn')
      .execute(),
  )
  for (const [index, { dueOn }] of due.entries()) {
    await payDay(database, dueOn as Day, actorUid, index === due.length - 1)
  }
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
    accepted(await settleTransfers(tx, settler, paid, { ...settle, outcome: 'paid', reason: '' }))
    accepted(await settleTransfers(tx, settler, returned, { ...settle, outcome: 'returned', reason: '口座名義相違' }))
  })
}

function accepted<T>(result: { ok: true; value: T } | { ok: false; refusals: readonly unknown[] }): T {
  if (result.ok) return result.value
  throw new Error(`the demonstration's transfers were refused: ${JSON.stringify(result.refusals)}`)
}
