import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { TRANSFER_STATE_LABELS, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isReturnFee, MAX_RETURN_FEE_YEN } from '@pc/domain/transfer/transfer-fee.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** The usual fee in yen for a transfer that comes back on the day, from the payment settings; 0 when none is set. */
export async function readUsualReturnFee(tx: Transaction, onDay: Day): Promise<bigint> {
  const row = await tx
    .selectFrom('paymentSettings')
    .select('returnFeeYen')
    .where('validFromMonth', '<=', monthOfDay(onDay))
    .orderBy('validFromMonth', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.returnFeeYen ?? 0n
}

/** One of the times that a transfer, or one of its several records, came back. The database makes a row for each. */
export interface TransferReturn {
  readonly transferId: bigint
  /** The number of the record; 0: the transfer has one record only. */
  readonly recordNumber: number
  /** Counts from 1. A recalled transfer that the bank paid after all can come back a second time. */
  readonly returnNumber: number
  readonly chargedOn: Day
  readonly feeYen: bigint
}

/** What has just come back: a transfer, or a record of it. */
export interface ReturnedRef {
  readonly transferId: bigint
  readonly number: number
}

const columns = ['transferId', 'recordNumber', 'returnNumber', 'chargedOn', 'feeYen'] as const

/**
 * By transfer, in the order of records and times.
 * Tested by `scenarios/transfer-recalls.test.ts`.
 */
export async function readReturns(
  tx: Transaction,
  transferIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly TransferReturn[]>> {
  if (transferIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('transferReturnFees')
    .select(columns)
    .where('transferId', 'in', transferIds)
    .orderBy('transferId')
    .orderBy('recordNumber')
    .orderBy('returnNumber')
    .execute()
  return Map.groupBy(
    rows.map(row => ({ ...row, chargedOn: row.chargedOn as Day })),
    row => row.transferId,
  )
}

/**
 * What comes back when whole transfers are returned: transfers with one record, and of the others the records that are
 * at the bank or paid.
 */
export async function readReturningRecords(
  tx: Transaction,
  transferIds: readonly bigint[],
): Promise<readonly ReturnedRef[]> {
  if (transferIds.length === 0) return []
  const { rows } = await sql<ReturnedRef>`
    select t.id as transfer_id, 0 as number from transfers t
    where t.id = any(${transferIds.map(String)}::bigint[]) and t.record_count = 1
    union all
    select r.transfer_id, r.number from transfer_records r join transfers t on t.id = r.transfer_id
    where t.id = any(${transferIds.map(String)}::bigint[]) and t.record_count > 1 and r.state in ('exported', 'paid')
    order by transfer_id, number`.execute(tx)
  return rows
}

/**
 * Records what the bank charged for each transfer or record that has just come back, and returns the sum by transfer for
 * the audit log.
 * @param feeYen undefined: the usual fee of the day
 */
export async function noteReturnFees(
  tx: Transaction,
  clock: Clock,
  returned: readonly ReturnedRef[],
  { on, feeYen: given }: { readonly on: Day; readonly feeYen?: bigint | undefined },
): Promise<ReadonlyMap<bigint, bigint>> {
  const sums = new Map<bigint, bigint>()
  if (returned.length === 0) return sums
  const feeYen = given ?? (await readUsualReturnFee(tx, on))
  for (const { transferId } of returned) sums.set(transferId, (sums.get(transferId) ?? 0n) + feeYen)
  if (feeYen === 0n) return sums
  await sql`
    update transfer_return_fees f set fee_yen = ${feeYen}, updated_at = ${new Date(clock.now())}
    from unnest(${returned.map(each => `${each.transferId}`)}::bigint[], ${returned.map(each => each.number)}::integer[])
      as r (transfer_id, number)
    where f.transfer_id = r.transfer_id and f.record_number = r.number and f.return_number = (
      select max(l.return_number) from transfer_return_fees l
      where l.transfer_id = f.transfer_id and l.record_number = f.record_number)`.execute(tx)
  return sums
}

export interface CorrectedFee {
  readonly beforeYen: bigint
  readonly afterYen: bigint
  readonly returnNumber: number
}

/**
 * Corrects what the bank charged for something that came back: the bank's statement is often later than its answer.
 * @param returnNumber undefined: it came back once
 */
export async function correctReturnFee(
  tx: Transaction,
  clock: Clock,
  { transferId, number }: ReturnedRef,
  feeYen: bigint,
  returnNumber?: number,
): Promise<Result<CorrectedFee, Refusal<RefusalCode>>> {
  if (!isReturnFee(feeYen)) return refused(returnFeeRefusal(['fee']))
  const data = { id: recordName(transferId, number) }
  const transfer = await tx
    .selectFrom('transfers')
    .select('state')
    .where('id', '=', transferId)
    .forUpdate()
    .executeTakeFirst()
  if (!transfer) return refused(refusal('transfer/not-found', ['id'], data))
  const returns = (await readReturns(tx, [transferId])).get(transferId) ?? []
  const own = returns.filter(each => each.recordNumber === number)
  const found = own.find(each => each.returnNumber === (returnNumber ?? own.at(-1)?.returnNumber))
  if (!found) {
    const state = TRANSFER_STATE_LABELS[transfer.state as TransferState]
    return refused(refusal('transfer/state-not-allowed', ['id'], { ...data, state }))
  }
  // With several returns, the caller must name the one that is meant.
  if (returnNumber === undefined && own.length > 1) {
    return refused(refusal('transfer/return-not-named', ['return'], { ...data, count: `${own.length}` }))
  }
  if (found.feeYen !== feeYen) {
    await tx
      .updateTable('transferReturnFees')
      .set({ feeYen, updatedAt: new Date(clock.now()) })
      .where('transferId', '=', transferId)
      .where('recordNumber', '=', number)
      .where('returnNumber', '=', found.returnNumber)
      .execute()
  }
  return ok({ beforeYen: found.feeYen, afterYen: feeYen, returnNumber: found.returnNumber })
}

export function returnFeeRefusal(path: readonly string[]): Refusal<RefusalCode> {
  return refusal('transfer/return-fee-out-of-range', path, { max: MAX_RETURN_FEE_YEN.toString() })
}
