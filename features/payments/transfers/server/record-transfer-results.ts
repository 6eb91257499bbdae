import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { TRANSFER_STATE_LABELS, TRANSFER_TRANSITIONS, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isReturnFee } from '@pc/domain/transfer/transfer-fee.ts'
import { isResultReason } from '@pc/domain/transfer/transfer-reason.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import type { Change } from '@pc/platform/audit/record-change.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { closePaidMonths, logReturned, movePayments } from '../../core/server/move-payments.ts'
import { returnFeeRefusal } from '../../core/server/return-fees.ts'
import { payOpenRecords, recordsInTheWay } from '../../core/server/transfer-record-store.ts'
import { returnTransfers } from './return-transfers.ts'

export interface RecordedResult {
  readonly id: bigint
  /** The number of the record, when only one of several came back or was paid. */
  readonly number?: number
  readonly before: TransferState
  readonly after: TransferState
  /** The bank's fee for what came back, summed over its records, in yen. */
  readonly returnFeeYen?: bigint
}

export interface TransferResult {
  readonly outcome: 'paid' | 'returned'
  /** The day on which the bank paid, or on which the money came back. */
  readonly on: Day
  readonly reason: string
  readonly by: 'file' | 'hand'
  /** The result comes from a recall that a second person confirmed: returned before its day, or paid after all. */
  readonly isRecalled?: true
  /** The bank's fee for each return, in yen; undefined: the usual fee. */
  readonly returnFeeYen?: bigint | undefined
}

/** Transfers whose results one call may record. */
export const MAX_RESULTS = 10_000
const MAX_NAMED = 20

/**
 * Records the results of whole transfers, all of them or none. Their payments change with them, and months with nothing
 * left to pay become paid.
 * Tested by `scenarios/transfer-results.test.ts`.
 */
export async function recordTransferResults(
  tx: Transaction,
  parts: { readonly clock: Clock; readonly actorUid: string },
  givenIds: readonly bigint[],
  { outcome, on, reason: given, by, isRecalled, returnFeeYen }: TransferResult,
): Promise<Result<readonly RecordedResult[], Refusal<RefusalCode>>> {
  const ids = [...new Set(givenIds)]
  const reason = given.trim()
  if (!isResultReason(reason, { outcome, by })) return refused(refusal('transfer/reason-missing', ['reason']))
  if (returnFeeYen !== undefined && !isReturnFee(returnFeeYen)) return refused(returnFeeRefusal(['returnFee']))
  if (ids.length > MAX_RESULTS) return refused(refusal('transfer/too-many', ['ids'], { max: MAX_RESULTS }))
  if (ids.length === 0) return ok([])
  const rows = await tx
    .selectFrom('transfers as t')
    .innerJoin('transferBatches as b', 'b.id', 't.batchId')
    .select(['t.id', 't.state', 't.paidOn', 't.recordCount', 'b.transferOn'])
    .where('t.id', 'in', ids)
    .orderBy('t.id')
    .forUpdate('t')
    .execute()
  const now = today(parts.clock)
  const event = outcome === 'returned' ? 'return' : isRecalled ? 'pay_recalled' : 'pay'
  const found = new Map(rows.map(row => [row.id, row]))
  const refusals: Refusal<RefusalCode>[] = []
  const recorded: RecordedResult[] = []
  for (const id of ids) {
    const row = found.get(id)
    const before = row?.state as TransferState
    const after = row && TRANSFER_TRANSITIONS[before][event]
    const data = { id: id.toString() }
    if (!row) {
      refusals.push(refusal('transfer/not-found', ['ids'], data))
      continue
    }
    if (!after) {
      refusals.push(refusal('transfer/state-not-allowed', ['ids'], { ...data, state: TRANSFER_STATE_LABELS[before] }))
      continue
    }
    const early = isRecalled && outcome === 'returned' ? undefined : resultTooEarly(row, { outcome, on }, now)
    // A day in the future is wrong for every transfer, so it is refused once.
    if (early?.code === 'transfer/settled-on-future') return refused(early)
    if (early) refusals.push(early)
    else recorded.push({ id, before, after })
  }
  const split = rows.filter(row => row.recordCount > 1).map(row => row.id)
  // The records of a recalled transfer are all returned, which must not prevent recording it as paid after all.
  if (!(isRecalled && outcome === 'paid')) refusals.push(...(await recordsInTheWay(tx, split, { outcome, on }, now)))
  if (refusals.length > 0) return refused(...refusals.slice(0, MAX_NAMED))
  const paymentIds = await tx
    .selectFrom('transferPayments')
    .select('monthlyPaymentId as id')
    .where('transferId', 'in', ids)
    .execute()
  if (outcome === 'paid') {
    const paid = { paidOn: on, reason, settledBy: by, updatedAt: new Date(parts.clock.now()) }
    await payOpenRecords(tx, split, isRecalled ? 'returned' : 'exported', paid)
    await tx
      .updateTable('transfers')
      .set({
        state: 'paid',
        paidOn: sql<Day>`coalesce(paid_on, ${on})`,
        returnedOn: null,
        ...(reason === '' ? {} : { reason }),
        settledBy: by,
        updatedAt: new Date(parts.clock.now()),
      })
      .where('id', 'in', ids)
      .execute()
  }
  const feeOf =
    outcome === 'returned'
      ? await returnTransfers(tx, parts.clock, ids, { on, reason, by, feeYen: returnFeeYen })
      : new Map<bigint, bigint>()
  const moved = await movePayments(
    tx,
    paymentIds.map(row => row.id),
    event,
    outcome === 'paid'
      ? { paidOn: on, paidAtMonth: monthOfDay(on), returnedReason: null }
      : { paidOn: null, paidAtMonth: null, returnedReason: reason },
    parts.clock,
  )
  if (!moved.ok) return moved
  if (outcome === 'paid') await closePaidMonths(tx, parts, moved.value.months)
  else await logReturned(tx, parts, moved.value)
  return ok(recorded.map(each => withFee(each, feeOf.get(each.id))))
}

function withFee(recorded: RecordedResult, returnFeeYen: bigint | undefined): RecordedResult {
  return returnFeeYen === undefined ? recorded : { ...recorded, returnFeeYen }
}

/** Why a transfer cannot have had this result on that day; the preview of a bank's answer uses it too. */
export function resultTooEarly(
  transfer: { readonly id: bigint; readonly transferOn: string; readonly paidOn: string | null },
  { outcome, on }: Pick<TransferResult, 'outcome' | 'on'>,
  now: Day,
): Refusal<RefusalCode> | undefined {
  const { transferOn, paidOn } = transfer
  const data = { id: transfer.id.toString() }
  if (transferOn > now) {
    const code = outcome === 'paid' ? 'transfer/not-due-yet' : 'transfer/recall-needed'
    return refusal(code, ['on'], { ...data, transferOn })
  }
  if (on > now) return refusal('transfer/settled-on-future', ['on'])
  if (outcome === 'paid' && on < transferOn) return refusal('transfer/paid-too-early', ['on'], { ...data, transferOn })
  if (outcome === 'returned' && on < transferOn)
    return refusal('transfer/returned-too-early', ['on'], { ...data, transferOn })
  if (outcome === 'returned' && paidOn !== null && paidOn > on)
    return refusal('transfer/returned-before-paid', ['on'], { ...data, paidOn })
  return undefined
}

/** With more results than this, the audit log gets one row for many transfers, with their numbers. */
const MAX_AUDIT_ROWS = 1_000

/** The audit log's changes for recorded results: one for each, or one for each group when there are very many. */
export function resultChanges(recorded: readonly RecordedResult[], facts: object): readonly Change[] {
  const resource = 'insight:monthly_payment.' as const
  const actionOf = (after: TransferState) => (after === 'paid' ? 'mark_paid' : 'mark_returned')
  if (recorded.length <= MAX_AUDIT_ROWS) {
    return recorded.map(({ id, number = 0, before, after, returnFeeYen }) => ({
      action: actionOf(after),
      resource,
      rowId: auditRowId('transfer', recordName(id, number)),
      before: { state: before },
      after: { state: after, ...facts, ...(returnFeeYen === undefined ? {} : { returnFeeYen }) },
    }))
  }
  const alike = Map.groupBy(recorded, ({ before, after, returnFeeYen }) => `${before}/${after}/${returnFeeYen}`)
  return [...alike.values()].flatMap(group =>
    Array.from({ length: Math.ceil(group.length / MAX_AUDIT_ROWS) }, (_, index) => {
      const lot = group.slice(index * MAX_AUDIT_ROWS, (index + 1) * MAX_AUDIT_ROWS)
      const { id, before, after, returnFeeYen } = lot[0]!
      const fee = returnFeeYen === undefined ? {} : { returnFeeYen }
      return {
        action: actionOf(after),
        resource,
        rowId: auditRowId('transfer', id),
        before: { state: before },
        after: { state: after, ...facts, ...fee, transferIds: lot.map(each => recordName(each.id, each.number ?? 0)) },
      }
    }),
  )
}
