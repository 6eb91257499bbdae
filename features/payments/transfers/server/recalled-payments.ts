import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isTransferReason } from '@pc/domain/transfer/transfer-reason.ts'
import { today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import {
  currentRecall,
  type DecidedRecall,
  lockRequest,
  type TransferRecall,
  writeDecision,
} from './recall-transfers.ts'
import { recordTransferResults, resultTooEarly } from './record-transfer-results.ts'
import type { TransferActor } from './transfer-actor.ts'

type Refused = Refusal<RefusalCode>

/**
 * Requests that a recalled transfer which the bank carried out be recorded as paid. Another person decides. Until then
 * its payments cannot be sent again.
 */
export async function requestRecalledPayment(
  tx: Transaction,
  { clock, actorUid }: TransferActor,
  transferId: bigint,
  { on, reason: given }: { readonly on: Day; readonly reason: string },
): Promise<Result<TransferRecall, Refused>> {
  const reason = given.trim()
  if (!isTransferReason(reason)) return refused(refusal('transfer/reason-missing', ['reason']))
  const locked = await lockRecalledTransfer(tx, transferId)
  if (!locked.ok) return locked
  const early = resultTooEarly(locked.value, { outcome: 'paid', on }, today(clock))
  if (early) return refused(early)
  if (await lockRequest(tx, transferId, 'pay')) {
    return refused(refusal('transfer/recalled-payment-open', ['id'], { id: `${transferId}` }))
  }
  await tx
    .insertInto('transferRecalls')
    .values({
      transferId,
      reason,
      purpose: 'pay',
      paidOn: on,
      requestedAt: new Date(clock.now()),
      requestedByUid: actorUid,
    })
    .execute()
  return ok(await currentRecall(tx, transferId, 'pay'))
}

/**
 * Confirms a request of {@link requestRecalledPayment}, which marks the transfer as paid, or rejects it. Confirming is refused while another active
 * transfer pays the same payments.
 */
export async function decideRecalledPayment(
  tx: Transaction,
  parts: TransferActor,
  transferId: bigint,
  isConfirmed: boolean,
): Promise<Result<DecidedRecall, Refused>> {
  const data = { id: `${transferId}` }
  const locked = await lockRecalledTransfer(tx, transferId)
  if (isConfirmed && !locked.ok) return locked
  const open = await lockRequest(tx, transferId, 'pay')
  if (open?.state !== 'requested') return refused(refusal('transfer/recalled-payment-not-open', ['id'], data))
  if (isConfirmed && open.requestedByUid === parts.actorUid)
    return refused(refusal('transfer/recall-own', ['id'], data))
  if (isConfirmed) {
    const again = await sentAgain(tx, transferId)
    if (again) return refused(refusal('transfer/recalled-sent-again', ['id'], { ...data, ...again }))
  }
  await writeDecision(tx, parts, open.id, isConfirmed)
  if (!isConfirmed) return ok({ recall: await currentRecall(tx, transferId, 'pay'), recorded: [] })
  const recorded = await recordTransferResults(tx, parts, [transferId], {
    outcome: 'paid',
    on: open.paidOn as Day,
    reason: open.reason,
    by: 'hand',
    isRecalled: true,
  })
  return recorded.ok ? ok({ recall: await currentRecall(tx, transferId, 'pay'), recorded: recorded.value }) : recorded
}

/** Locks a transfer that was recalled and is not recorded as paid; refused for any other. */
async function lockRecalledTransfer(
  tx: Transaction,
  transferId: bigint,
): Promise<Result<Parameters<typeof resultTooEarly>[0], Refused>> {
  const row = await tx
    .selectFrom('transfers as t')
    .innerJoin('transferBatches as b', 'b.id', 't.batchId')
    .select(['t.id', 't.state', 't.paidOn', 'b.transferOn'])
    .where('t.id', '=', transferId)
    .forUpdate('t')
    .executeTakeFirst()
  const data = { id: `${transferId}` }
  if (!row) return refused(refusal('transfer/not-found', ['id'], data))
  const recall = await lockRequest(tx, transferId, 'return')
  const isRecalled = row.state === 'returned' && row.paidOn === null && recall?.state === 'confirmed'
  return isRecalled ? ok(row) : refused(refusal('transfer/not-recalled', ['id'], data))
}

/** The active transfer that pays the same payments; undefined: none. Locks the payments, as a new batch does. */
async function sentAgain(tx: Transaction, transferId: bigint) {
  const { rows: payments } = await sql<{ id: bigint }>`
    select p.id from monthly_payments p
    where p.id in (select x.monthly_payment_id from transfer_payments x where x.transfer_id = ${transferId})
    order by p.id for update`.execute(tx)
  const { rows } = await sql<{ otherId: string; batchId: string; state: TransferState }>`
    select t.id::text as other_id, t.batch_id::text as batch_id, t.state
    from transfer_payments x join transfers t on t.id = x.transfer_id
    where x.is_live and x.monthly_payment_id in (${sql.join(payments.map(each => each.id))})
    order by t.id limit 1`.execute(tx)
  return rows[0]
}

/**
 * Recalled transfers of the payments that the bank may still carry out, or is said to have carried out (docs/adr/0061).
 * Not those that the bank has confirmed.
 */
export async function recalledTransfersOf(
  tx: Transaction,
  paymentIds: readonly bigint[],
  on: Day,
): Promise<readonly bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select distinct r.transfer_id as id from transfer_payments x join transfer_recalls r on r.transfer_id = x.transfer_id
    where x.monthly_payment_id = any(${paymentIds.map(String)}::bigint[])
      and app.is_recall_pending(x.monthly_payment_id, ${on})
      and ((r.purpose = 'pay' and r.state = 'requested')
        or (r.purpose = 'return' and r.state = 'confirmed' and r.bank_reference is null))
    order by r.transfer_id`.execute(tx)
  return rows.map(row => row.id)
}
