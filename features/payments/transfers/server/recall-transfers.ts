import type { Day } from '@pc/domain/month/day.ts'
import {
  type RecallPurpose,
  type RecallState,
  TRANSFER_STATE_LABELS,
  type TransferState,
} from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isTransferReason, MAX_BANK_REFERENCE } from '@pc/domain/transfer/transfer-reason.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { type RecordedResult, recordTransferResults, resultTooEarly } from './record-transfer-results.ts'

/**
 * A request to recall a transfer before its day (purpose `return`), or to record that the bank paid a recalled transfer
 * after all (purpose `pay`).
 */
export interface TransferRecall {
  readonly id: bigint
  readonly transferId: bigint
  readonly reason: string
  readonly state: RecallState
  readonly requestedAt: Date
  readonly requestedByUid: string
  readonly requestedByEmail: string | null
  readonly decidedAt: Date | null
  readonly decidedByEmail: string | null
  /** The bank's reference for its confirmation that it will not carry out the order; null: not confirmed. */
  readonly bankReference: string | null
  readonly bankNotedAt: Date | null
  /** The day on which the bank paid it after all; null for a recall. */
  readonly paidOn: Day | null
}

interface TransferActor {
  readonly clock: Clock
  readonly actorUid: string
}

type Refused = Refusal<RefusalCode>

/** The latest request of each transfer that has one. */
export async function readRecalls(
  tx: Transaction,
  transferIds: readonly bigint[],
  purpose: RecallPurpose,
): Promise<ReadonlyMap<bigint, TransferRecall>> {
  if (transferIds.length === 0) return new Map()
  const { rows } = await sql<TransferRecall>`
    select distinct on (r.transfer_id) r.id, r.transfer_id, r.reason, r.state, r.requested_at, r.requested_by_uid,
      q.email as requested_by_email, r.decided_at, d.email as decided_by_email, r.bank_reference, r.bank_noted_at, r.paid_on
    from transfer_recalls r
    left join users q on q.uid = r.requested_by_uid
    left join users d on d.uid = r.decided_by_uid
    where r.transfer_id in (${sql.join([...transferIds])}) and r.purpose = ${purpose}
    order by r.transfer_id, r.id desc`.execute(tx)
  return new Map(rows.map(row => [row.transferId, row]))
}

/**
 * Whether the request `r` for the transfer `t` of the batch `b` is undecided and can still be decided. A recall cannot
 * once the day of the transfer has come.
 * Tested by `scenarios/transfer-recalls.test.ts`.
 */
export function isToDecide(now: Day) {
  return sql<boolean>`(r.state = 'requested'
    and (r.purpose = 'pay' or (r.purpose = 'return' and t.state = 'exported' and b.transfer_on > ${now})))`
}

/** A subquery: the number of requests that wait for a second person. */
export function recallsToDecideCount(now: Day) {
  return sql<bigint>`(select count(*) from transfer_recalls r join transfers t on t.id = r.transfer_id
    join transfer_batches b on b.id = t.batch_id where ${isToDecide(now)})`
}

/** Requests that an exported transfer be marked as returned before its day. Another person decides. */
export async function requestRecall(
  tx: Transaction,
  { clock, actorUid }: TransferActor,
  transferId: bigint,
  given: string,
): Promise<Result<TransferRecall, Refused>> {
  const reason = given.trim()
  if (!isTransferReason(reason)) return refused(refusal('transfer/reason-missing', ['reason']))
  const locked = await lockForRecall(tx, clock, transferId)
  if (!locked.ok) return locked
  const open = await lockRecall(tx, transferId, 'return')
  if (open) return refused(refusal('transfer/recall-open', ['id'], { id: `${transferId}` }))
  await tx
    .insertInto('transferRecalls')
    .values({ transferId, reason, requestedAt: new Date(clock.now()), requestedByUid: actorUid })
    .execute()
  return ok(await currentRecall(tx, transferId, 'return'))
}

export interface DecidedRecall {
  readonly recall: TransferRecall
  /** Empty when the request was rejected. */
  readonly recorded: readonly RecordedResult[]
}

/** Confirms a request, which marks the transfer as returned, or rejects it. The requester may only reject it. */
export async function decideRecall(
  tx: Transaction,
  parts: TransferActor,
  transferId: bigint,
  isConfirmed: boolean,
): Promise<Result<DecidedRecall, Refused>> {
  const { clock, actorUid } = parts
  const data = { id: `${transferId}` }
  if (isConfirmed) {
    const locked = await lockForRecall(tx, clock, transferId)
    if (!locked.ok) return locked
  }
  const open = await lockRecall(tx, transferId, 'return')
  if (open?.state !== 'requested') return refused(refusal('transfer/recall-not-open', ['id'], data))
  if (isConfirmed && open.requestedByUid === actorUid) return refused(refusal('transfer/recall-own', ['id'], data))
  await writeDecision(tx, parts, open.id, isConfirmed)
  if (!isConfirmed) return ok({ recall: await currentRecall(tx, transferId, 'return'), recorded: [] })
  const recorded = await recordTransferResults(tx, parts, [transferId], {
    outcome: 'returned',
    on: today(clock),
    reason: open.reason,
    by: 'hand',
    isRecalled: true,
  })
  return recorded.ok
    ? ok({ recall: await currentRecall(tx, transferId, 'return'), recorded: recorded.value })
    : recorded
}

/** Records the bank's confirmation that it will not carry out the order. The payment can then be sent again at once. */
export async function noteBankRecall(
  tx: Transaction,
  { clock, actorUid }: TransferActor,
  transferId: bigint,
  given: string,
): Promise<Result<TransferRecall, Refused>> {
  const bankReference = given.trim()
  if (bankReference === '' || bankReference.length > MAX_BANK_REFERENCE) {
    return refused(refusal('transfer/bank-reference-missing', ['reference']))
  }
  const transfer = await tx
    .selectFrom('transfers')
    .select('state')
    .where('id', '=', transferId)
    .forUpdate()
    .executeTakeFirst()
  const recall = await lockRecall(tx, transferId, 'return')
  const data = { id: `${transferId}` }
  if (recall?.state !== 'confirmed') return refused(refusal('transfer/recall-not-confirmed', ['id'], data))
  if (recall.bankReference !== null) return refused(refusal('transfer/bank-recall-noted', ['id'], data))
  if (transfer?.state !== 'returned') {
    const state = TRANSFER_STATE_LABELS[transfer?.state as TransferState]
    return refused(refusal('transfer/state-not-allowed', ['id'], { ...data, state }))
  }
  await tx
    .updateTable('transferRecalls')
    .set({ bankReference, bankNotedAt: new Date(clock.now()), bankNotedByUid: actorUid })
    .where('id', '=', recall.id)
    .execute()
  return ok(await currentRecall(tx, transferId, 'return'))
}

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
  const locked = await lockRecalled(tx, transferId)
  if (!locked.ok) return locked
  const early = resultTooEarly(locked.value, { outcome: 'paid', on }, today(clock))
  if (early) return refused(early)
  if (await lockRecall(tx, transferId, 'pay')) {
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
 * Confirms such a request, which marks the transfer as paid, or rejects it. Confirming is refused while another active
 * transfer pays the same payments.
 */
export async function decideRecalledPayment(
  tx: Transaction,
  parts: TransferActor,
  transferId: bigint,
  isConfirmed: boolean,
): Promise<Result<DecidedRecall, Refused>> {
  const data = { id: `${transferId}` }
  const locked = await lockRecalled(tx, transferId)
  if (isConfirmed && !locked.ok) return locked
  const open = await lockRecall(tx, transferId, 'pay')
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
async function lockRecalled(
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
  const recall = await lockRecall(tx, transferId, 'return')
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
      and (r.purpose = 'pay' and r.state = 'requested'
        or r.purpose = 'return' and r.state = 'confirmed' and r.bank_reference is null)
    order by r.transfer_id`.execute(tx)
  return rows.map(row => row.id)
}

async function writeDecision(
  tx: Transaction,
  { clock, actorUid }: TransferActor,
  id: bigint,
  isConfirmed: boolean,
): Promise<void> {
  await tx
    .updateTable('transferRecalls')
    .set({
      state: isConfirmed ? 'confirmed' : 'rejected',
      decidedAt: new Date(clock.now()),
      decidedByUid: actorUid,
    })
    .where('id', '=', id)
    .execute()
}

/** Locks a transfer for a recall. Only a transfer that is at the bank and whose day has not come can be recalled. */
async function lockForRecall(tx: Transaction, clock: Clock, transferId: bigint): Promise<Result<unknown, Refused>> {
  const row = await tx
    .selectFrom('transfers as t')
    .innerJoin('transferBatches as b', 'b.id', 't.batchId')
    .select(['t.state', 'b.transferOn'])
    .where('t.id', '=', transferId)
    .forUpdate('t')
    .executeTakeFirst()
  const data = { id: `${transferId}` }
  if (!row) return refused(refusal('transfer/not-found', ['id'], data))
  if (row.state !== 'exported') {
    const state = TRANSFER_STATE_LABELS[row.state as TransferState]
    return refused(refusal('transfer/state-not-allowed', ['id'], { ...data, state }))
  }
  const { transferOn } = row
  if (transferOn <= today(clock)) return refused(refusal('transfer/recall-too-late', ['id'], { ...data, transferOn }))
  return ok(undefined)
}

/** Locks the request of the transfer that is not rejected; undefined: there is none. */
function lockRecall(tx: Transaction, transferId: bigint, purpose: RecallPurpose) {
  return tx
    .selectFrom('transferRecalls')
    .select(['id', 'state', 'reason', 'requestedByUid', 'bankReference', 'paidOn'])
    .where('transferId', '=', transferId)
    .where('purpose', '=', purpose)
    .where('state', '<>', 'rejected')
    .forUpdate()
    .executeTakeFirst()
}

async function currentRecall(tx: Transaction, transferId: bigint, purpose: RecallPurpose): Promise<TransferRecall> {
  return (await readRecalls(tx, [transferId], purpose)).get(transferId)!
}
