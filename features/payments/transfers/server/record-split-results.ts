import type { Day } from '@pc/domain/month/day.ts'
import { TRANSFER_STATE_LABELS, TRANSFER_TRANSITIONS, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isReturnFee } from '@pc/domain/transfer/transfer-fee.ts'
import { isResultReason } from '@pc/domain/transfer/transfer-reason.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import { today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { logReturned, movePayments } from '../../core/server/move-payments.ts'
import { noteReturnFees, readUsualReturnFee, returnFeeRefusal } from '../../core/server/return-fees.ts'
import { isResentInSql } from '../../core/server/transfer-record-store.ts'
import {
  type RecordedResult,
  recordTransferResults,
  resultTooEarly,
  type TransferResult,
} from './record-transfer-results.ts'
import type { TransferActor } from './transfer-actor.ts'

/** A record of a transfer with several records. */
export interface RecordRef {
  readonly transferId: bigint
  readonly number: number
}

type Refused = Refusal<RefusalCode>

interface StoredRecord extends RecordRef {
  readonly replaces: number | null
  readonly amountYen: bigint
  readonly state: TransferState
  readonly paidOn: Day | null
  readonly transferOn: Day
  readonly dueOn: Day
  readonly transferState: TransferState
  readonly isSentAgain: boolean
}

const MAX_NAMED = 20
const nameOf = ({ transferId, number }: RecordRef) => recordName(transferId, number)

/**
 * Records the results of single records, all of them or none. A transfer is paid when its whole amount is, and returned
 * when no record is left; in between it stays exported, and so do its payments.
 * Tested by `scenarios/split-transfers.test.ts`.
 */
export async function recordSplitResults(
  tx: Transaction,
  parts: TransferActor,
  refs: readonly RecordRef[],
  result: TransferResult,
): Promise<Result<readonly RecordedResult[], Refused>> {
  const { outcome, on, by, returnFeeYen } = result
  const reason = result.reason.trim()
  if (refs.length === 0) return ok([])
  if (!isResultReason(reason, { outcome, by })) return refused(refusal('transfer/reason-missing', ['reason']))
  if (returnFeeYen !== undefined && !isReturnFee(returnFeeYen)) return refused(returnFeeRefusal(['returnFee']))
  const transferIds = [...new Set(refs.map(ref => ref.transferId))]
  const found = new Map((await lockRecords(tx, transferIds)).map(record => [nameOf(record), record]))
  const names = [...new Set(refs.map(nameOf))]
  const now = today(parts.clock)
  const refusals: Refused[] = []
  const moved: StoredRecord[] = []
  const elsewhere: StoredRecord[] = []
  for (const name of names) {
    const record = found.get(name)
    const problem = record ? problemOf(record, result, now) : refusal('transfer/not-found', ['ids'], { id: name })
    if (problem) refusals.push(problem)
    else if (record) (record.state === 'returned' ? elsewhere : moved).push(record)
  }
  if (refusals.length > 0) return refused(...refusals.slice(0, MAX_NAMED))
  const feeYen = returnFeeYen ?? (await readUsualReturnFee(tx, on))
  const recorded = { reason: reason === '' ? null : reason, settledBy: by, updatedAt: new Date(parts.clock.now()) }
  if (moved.length > 0) {
    await tx
      .updateTable('transferRecords')
      .set({ state: outcome, ...(outcome === 'paid' ? { paidOn: on } : { returnedOn: on }), ...recorded })
      .where(
        sql<boolean>`(transfer_id, number) in (${sql.join(
          moved.map(each => sql`(${each.transferId}::bigint, ${each.number}::integer)`),
        )})`,
      )
      .execute()
  }
  const isBack = outcome === 'returned'
  if (isBack) await noteReturnFees(tx, parts.clock, moved, { on, feeYen })
  if (elsewhere.length > 0) await payElsewhere(tx, parts, elsewhere, { ...recorded, paidOn: on })
  const followed = await followRecords(tx, parts, transferIds, { reason, by })
  if (!followed.ok) return followed
  return ok([
    ...[...moved, ...elsewhere].map(({ transferId: id, number, state: before }) => ({
      id,
      number,
      before,
      after: outcome,
      ...(isBack ? { returnFeeYen: feeYen } : {}),
    })),
    ...followed.value,
  ])
}

function problemOf(record: StoredRecord, { outcome, on, by }: TransferResult, now: Day): Refused | undefined {
  const { transferId, state, transferState, isSentAgain } = record
  // A person says that a returned record was paid in another way.
  const isElsewhere =
    outcome === 'paid' && by === 'hand' && state === 'returned' && transferState === 'exported' && !isSentAgain
  if (isElsewhere && on > now) return refusal('transfer/settled-on-future', ['on'])
  if (isElsewhere && on < record.transferOn)
    return refusal('transfer/paid-too-early', ['on'], { id: nameOf(record), transferOn: record.transferOn })
  if (isElsewhere) return undefined
  if (!TRANSFER_TRANSITIONS[state][outcome === 'paid' ? 'pay' : 'return']) {
    const label = TRANSFER_STATE_LABELS[state]
    return refusal('transfer/state-not-allowed', ['ids'], { id: nameOf(record), state: label })
  }
  const early = resultTooEarly({ ...record, id: transferId }, { outcome, on }, now)
  const isAgain = record.replaces !== null && early?.code === 'transfer/recall-needed'
  return isAgain ? refusal('transfer/record-not-due', ['on'], { ...early.data, id: nameOf(record) }) : early
}

/** Locks the transfers in ascending order, so that two results wait for each other, then reads their records. */
async function lockRecords(tx: Transaction, transferIds: readonly bigint[]): Promise<readonly StoredRecord[]> {
  await tx
    .selectFrom('transfers')
    .select('id')
    // -1, which is no id, keeps the list from being empty: SQL has no `in ()`.
    .where('id', 'in', [...transferIds, -1n])
    .orderBy('id')
    .forUpdate()
    .execute()
  const { rows } = await sql<StoredRecord>`
    select r.transfer_id, r.number, r.replaces, r.amount_yen, r.state, r.paid_on, b.transfer_on, t.due_on,
      t.state as transfer_state, ${isResentInSql('r')} as is_sent_again
    from transfer_records r join transfers t on t.id = r.transfer_id join transfer_batches b on b.id = r.batch_id
    where r.transfer_id in (${sql.join([...transferIds, -1n])}) order by r.transfer_id, r.number`.execute(tx)
  return rows
}

/** Locks a transfer and returns its records that came back and were not sent again. */
export async function lockReturnedRecords(tx: Transaction, transferId: bigint): Promise<readonly StoredRecord[]> {
  const records = await lockRecords(tx, [transferId])
  return records.filter(each => each.transferState === 'exported' && each.state === 'returned' && !each.isSentAgain)
}

/** Inserts records into a batch that replace records which came back. */
export async function insertAgain(
  tx: Transaction,
  batchId: bigint,
  records: readonly RecordRef[],
  valuesOf: (record: RecordRef, index: number) => { readonly feeYen: bigint },
  values: {
    readonly updatedAt: Date
    readonly paidOn?: Day
    readonly reason?: string | null
    readonly settledBy?: string
  },
): Promise<void> {
  for (const [index, record] of records.entries()) {
    const { transferId, number: replaces } = record
    await sql`
      insert into transfer_records (transfer_id, number, batch_id, replaces, amount_yen, fee_yen, state, paid_on, reason,
        settled_by, updated_at)
      select ${transferId}, (select max(number) + 1 from transfer_records where transfer_id = ${transferId}), ${batchId},
        ${replaces}, amount_yen, ${valuesOf(record, index).feeYen}, ${values.paidOn ? 'paid' : 'planned'},
        ${values.paidOn ?? null}, ${values.reason ?? null}, ${values.settledBy ?? null}, ${values.updatedAt}
      from transfer_records where transfer_id = ${transferId} and number = ${replaces}`.execute(tx)
  }
}

/** Records returned records as paid without our bank file. The fee is 0, because nobody knows what the bank charged. */
async function payElsewhere(
  tx: Transaction,
  { clock, actorUid }: TransferActor,
  records: readonly StoredRecord[],
  paid: { readonly paidOn: Day; readonly reason: string | null; readonly settledBy: string; readonly updatedAt: Date },
): Promise<void> {
  const { id } = await tx
    .insertInto('transferBatches')
    .values({
      kind: 'by_hand',
      transferOn: paid.paidOn,
      dueOn: records[0]!.dueOn,
      createdAt: new Date(clock.now()),
      createdByUid: actorUid,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertAgain(tx, id, records, () => ({ feeYen: 0n }), paid)
}

/** Cancels the records of a batch whose file was never written. The records that they replaced count as returned again. */
export async function cancelRecords(
  tx: Transaction,
  parts: TransferActor,
  batchId: bigint,
  reason: string,
): Promise<Result<readonly RecordedResult[], Refused>> {
  const rows = await tx
    .updateTable('transferRecords')
    .set({ state: 'cancelled', reason, updatedAt: new Date(parts.clock.now()) })
    .where('batchId', '=', batchId)
    .where('state', '=', 'planned')
    .returning('transferId')
    .execute()
  const ids = [...new Set(rows.map(row => row.transferId))]
  return followRecords(tx, parts, ids, { reason, by: 'hand' })
}

interface RecordSums {
  readonly id: bigint
  readonly state: TransferState
  readonly paidOn: Day | null
  readonly isPaid: boolean
  readonly isGone: boolean
  readonly firstPaidOn: Day | null
  readonly lastPaidOn: Day | null
  readonly lastReturnedOn: Day | null
}

/** Changes the state of transfers when the states of their records require it. */
async function followRecords(
  tx: Transaction,
  parts: TransferActor,
  transferIds: readonly bigint[],
  { reason, by }: Pick<TransferResult, 'reason' | 'by'>,
): Promise<Result<readonly RecordedResult[], Refused>> {
  if (transferIds.length === 0) return ok([])
  const { rows } = await sql<RecordSums>`
    select t.id, t.state, t.paid_on,
      coalesce(sum(r.amount_yen) filter (where r.state = 'paid'), 0) = t.transfer_amount_yen as is_paid,
      bool_and(r.state in ('returned', 'cancelled')) as is_gone, min(r.paid_on) as first_paid_on,
      max(r.paid_on) filter (where r.state = 'paid') as last_paid_on, max(r.returned_on) as last_returned_on
    from transfers t join transfer_records r on r.transfer_id = t.id
    where t.id in (${sql.join([...transferIds])}) group by t.id order by t.id`.execute(tx)
  const recorded: RecordedResult[] = []
  for (const { id, state, paidOn, firstPaidOn, ...sums } of rows) {
    const updatedAt = new Date(parts.clock.now())
    if (state === 'exported' && paidOn === null && firstPaidOn !== null) {
      await tx.updateTable('transfers').set({ paidOn: firstPaidOn, updatedAt }).where('id', '=', id).execute()
    }
    if (state === 'exported' && sums.isPaid) {
      const paid = { outcome: 'paid', on: sums.lastPaidOn!, reason, by } as const
      const done = await recordTransferResults(tx, parts, [id], paid)
      if (!done.ok) return done
      recorded.push(...done.value)
    } else if ((state === 'exported' || state === 'paid') && sums.isGone) {
      const returned = { outcome: 'returned', on: sums.lastReturnedOn!, reason, by } as const
      const done = await recordTransferResults(tx, parts, [id], returned)
      if (!done.ok) return done
      recorded.push(...done.value)
    } else if (state === 'paid' && !sums.isPaid) {
      const done = await reopen(tx, parts, id, reason)
      if (!done.ok) return done
      recorded.push({ id, before: 'paid', after: 'exported' })
    }
  }
  return ok(recorded)
}

/**
 * Takes a paid transfer back to exported, because a part of it came back. Its payments go through the events of a return
 * (return, plan again, export), so that every step is allowed and logged.
 */
async function reopen(
  tx: Transaction,
  parts: TransferActor,
  id: bigint,
  reason: string,
): Promise<Result<true, Refused>> {
  await tx
    .updateTable('transfers')
    .set({ state: 'exported', updatedAt: new Date(parts.clock.now()) })
    .where('id', '=', id)
    .execute()
  const rows = await tx.selectFrom('transferPayments').select('monthlyPaymentId').where('transferId', '=', id).execute()
  const ids = rows.map(row => row.monthlyPaymentId)
  const unpaid = { paidOn: null, paidAtMonth: null, returnedReason: reason }
  const returned = await movePayments(tx, ids, 'return', unpaid, parts.clock)
  if (!returned.ok) return returned
  await logReturned(tx, parts, returned.value)
  for (const event of ['plan_again', 'export'] as const) {
    const moved = await movePayments(tx, ids, event, {}, parts.clock)
    if (!moved.ok) return moved
  }
  return ok(true)
}
