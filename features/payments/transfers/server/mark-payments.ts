import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, firstDayOf, monthOfDay } from '@pc/domain/month/year-month.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { TransferRefusal } from '@pc/domain/transfer/transfer.ts'
import type { TransferActionRefusal } from '@pc/domain/transfer/transfer-action-refusal.ts'
import { isTransferReason } from '@pc/domain/transfer/transfer-reason.ts'
import { today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { closePaidMonths, logReturned, type MovedPayment, movePayments } from '../../core/server/move-payments.ts'
import { recordsInTheWay } from '../../core/server/transfer-record-store.ts'
import { MAX_REFUSALS } from './create-transfer-batch.ts'
import { recalledTransfersOf } from './recalled-payments.ts'
import { recordTransfersByHand } from './record-transfers-by-hand.ts'
import { returnTransfers } from './return-transfers.ts'
import type { TransferActor } from './transfer-actor.ts'

/** Payments that one call may mark. */
export const MAX_MARKED = 10_000

export interface MarkedPayment extends MovedPayment {
  /** The bank's fee for the returned transfer, in yen. Set on the first of its payments only, so that it counts once. */
  readonly returnFeeYen?: bigint
}

/**
 * Marks payments that were paid without a bank file as paid, all of them or none. Each gets a transfer of its own, so
 * that books and checks show how it was paid. Payments in a bank file are refused: their result is recorded with the
 * transfer. A refusal undoes what was written before it, because the mutation's transaction is rolled back.
 * Tested by `scenarios/transfer-results.test.ts`.
 * @param paidOn today at the latest, and after the revenue months, because an earlier day must be a mistake
 */
export async function markPaid(
  tx: Transaction,
  parts: TransferActor,
  ids: readonly bigint[],
  paidOn: Day,
): Promise<Result<readonly MarkedPayment[], CloseRefusal | TransferActionRefusal | TransferRefusal>> {
  if (paidOn > today(parts.clock)) return refused(refusal('payment/paid-on-future', ['paidOn']))
  const tooMany = countRefusal(ids)
  if (tooMany) return refused(tooMany)
  const change = { paidOn, paidAtMonth: monthOfDay(paidOn), returnedReason: null }
  const moved = await movePayments(tx, ids, 'pay', change, parts.clock)
  if (!moved.ok) return moved
  const from = moved.value.months
    .map(({ month }) => firstDayOf(addMonths(month, 1)))
    .toSorted()
    .at(-1)
  if (from !== undefined && paidOn < from) return refused(refusal('payment/paid-on-too-early', ['paidOn'], { from }))
  const inTransfers = await transfersOfPayments(tx, ids)
  if (inTransfers.length > 0) {
    return refused(
      ...inTransfers
        .slice(0, MAX_REFUSALS)
        .map(({ monthlyPaymentId, batchId }) =>
          refusal('transfer/payment-in-transfer', ['ids'], { id: `${monthlyPaymentId}`, batchId: `${batchId}` }),
        ),
    )
  }
  const recalled = await recalledTransfersOf(tx, ids, today(parts.clock))
  if (recalled.length > 0) {
    return refused(
      ...recalled
        .slice(0, MAX_REFUSALS)
        .map(id => refusal('transfer/recalled-payment-waits', ['ids'], { id: `${id}` })),
    )
  }
  const recorded = await recordTransfersByHand(
    tx,
    parts,
    moved.value.payments.map(payment => payment.id),
    paidOn,
  )
  if (!recorded.ok) return recorded
  await closePaidMonths(tx, parts, moved.value.months)
  return ok(moved.value.payments)
}

/** Marks payments as returned by the bank. Only a person makes a new transfer for them, never the system. */
export async function markReturned(
  tx: Transaction,
  parts: TransferActor,
  givenIds: readonly bigint[],
  reason: string,
): Promise<Result<readonly MarkedPayment[], CloseRefusal | TransferActionRefusal>> {
  const returnedReason = reason.trim()
  if (!isTransferReason(returnedReason)) return refused(refusal('payment/reason-missing', ['reason']))
  const tooMany = countRefusal(givenIds)
  if (tooMany) return refused(tooMany)
  const moved = await movePayments(
    tx,
    givenIds,
    'return',
    { paidOn: null, paidAtMonth: null, returnedReason },
    parts.clock,
  )
  if (!moved.ok) return moved
  const ids = new Set(givenIds)
  const transfers = await transfersOfPayments(tx, givenIds)
  const others = transfers.filter(each => each.paymentIds.some(id => !ids.has(BigInt(id))))
  if (others.length > 0) {
    return refused(
      ...others
        .slice(0, MAX_REFUSALS)
        .map(each => refusal('transfer/returned-with-others', ['ids'], { id: `${each.monthlyPaymentId}` })),
    )
  }
  const early = transfers.find(each => each.isAtBank && each.transferOn > today(parts.clock))
  if (early) {
    const { transferOn } = early
    return refused(refusal('transfer/recall-needed', ['ids'], { id: `${early.transferId}`, transferOn }))
  }
  const transferIds = [...new Set(transfers.map(each => each.transferId))]
  const inTheWay = await recordsInTheWay(
    tx,
    transferIds,
    { outcome: 'returned', on: today(parts.clock) },
    today(parts.clock),
  )
  if (inTheWay.length > 0) return refused(...inTheWay.slice(0, MAX_REFUSALS))
  const feeOf = new Map<string, bigint>()
  const returned = { on: today(parts.clock), reason: returnedReason, by: 'hand' } as const
  const charged = await returnTransfers(tx, parts.clock, transferIds, returned)
  for (const { transferId, paymentIds } of transfers) feeOf.set(paymentIds[0]!, charged.get(transferId) ?? 0n)
  await logReturned(tx, parts, moved.value)
  return ok(
    moved.value.payments.map(payment => {
      const returnFeeYen = feeOf.get(`${payment.id}`)
      return returnFeeYen === undefined ? payment : { ...payment, returnFeeYen }
    }),
  )
}

function countRefusal(ids: readonly bigint[]): CloseRefusal | undefined {
  return ids.length > MAX_MARKED ? refusal('payment/too-many', ['ids'], { max: MAX_MARKED }) : undefined
}

interface TransferOfPayment {
  readonly monthlyPaymentId: bigint
  readonly transferId: bigint
  readonly batchId: bigint
  readonly transferOn: Day
  /** Whether it is in an exported file and has no result yet. */
  readonly isAtBank: boolean
  /** Every payment of the transfer. */
  readonly paymentIds: readonly string[]
}

async function transfersOfPayments(tx: Transaction, ids: readonly bigint[]): Promise<readonly TransferOfPayment[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TransferOfPayment>`
    select x.monthly_payment_id, x.transfer_id, t.batch_id, b.transfer_on, t.state = 'exported' as is_at_bank,
      (select array_agg(y.monthly_payment_id::text order by y.monthly_payment_id) from transfer_payments y where y.transfer_id = x.transfer_id) as payment_ids
    from transfer_payments x join transfers t on t.id = x.transfer_id join transfer_batches b on b.id = t.batch_id
    where x.is_live and x.monthly_payment_id in (${sql.join([...new Set(ids)])})
    order by x.monthly_payment_id`.execute(tx)
  return rows
}
