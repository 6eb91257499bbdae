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
import { type RecordedResult, recordTransferResults } from './record-transfer-results.ts'
import type { TransferActor } from './transfer-actor.ts'

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
  const locked = await lockRecallable(tx, clock, transferId)
  if (!locked.ok) return locked
  const open = await lockRequest(tx, transferId, 'return')
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
    const locked = await lockRecallable(tx, clock, transferId)
    if (!locked.ok) return locked
  }
  const open = await lockRequest(tx, transferId, 'return')
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
  const recall = await lockRequest(tx, transferId, 'return')
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

export async function writeDecision(
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
async function lockRecallable(tx: Transaction, clock: Clock, transferId: bigint): Promise<Result<unknown, Refused>> {
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
export function lockRequest(tx: Transaction, transferId: bigint, purpose: RecallPurpose) {
  return tx
    .selectFrom('transferRecalls')
    .select(['id', 'state', 'reason', 'requestedByUid', 'bankReference', 'paidOn'])
    .where('transferId', '=', transferId)
    .where('purpose', '=', purpose)
    .where('state', '<>', 'rejected')
    .forUpdate()
    .executeTakeFirst()
}

export async function currentRecall(
  tx: Transaction,
  transferId: bigint,
  purpose: RecallPurpose,
): Promise<TransferRecall> {
  return (await readRecalls(tx, [transferId], purpose)).get(transferId)!
}
