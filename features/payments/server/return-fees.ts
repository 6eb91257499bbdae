import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { TRANSFER_STATE_LABELS, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { isReturnFee, MAX_RETURN_FEE_YEN } from '@pc/domain/payment/transfer-fee.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** What the bank usually charges for a transfer that comes back on the day; 0: nothing is known. */
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

/**
 * Keeps what the bank charged for each of the transfers that have just come back. A recalled one that the bank paid and
 * that came back after that is charged twice: both fees are kept as one.
 * @param feeYen undefined: the usual fee of the day
 */
export async function noteReturnFees(
  tx: Transaction,
  clock: Clock,
  transferIds: readonly bigint[],
  { on, feeYen: given }: { readonly on: Day; readonly feeYen?: bigint | undefined },
): Promise<void> {
  const feeYen = given ?? (await readUsualReturnFee(tx, on))
  if (feeYen === 0n || transferIds.length === 0) return
  await sql`
    insert into transfer_return_fees (transfer_id, charged_on, fee_yen, updated_at)
    select t.id, t.returned_on, ${feeYen}, ${new Date(clock.now())} from transfers t
    where t.id = any(${transferIds.map(String)}::bigint[]) and t.state = 'returned'
    on conflict (transfer_id) do update
      set fee_yen = least(transfer_return_fees.fee_yen + excluded.fee_yen, ${MAX_RETURN_FEE_YEN}), updated_at = excluded.updated_at`.execute(
    tx,
  )
}

export interface CorrectedFee {
  readonly beforeYen: bigint
  readonly afterYen: bigint
}

/** Corrects what the bank charged for a transfer that came back: the bank's statement is often later than its answer. */
export async function correctReturnFee(
  tx: Transaction,
  clock: Clock,
  transferId: bigint,
  feeYen: bigint,
): Promise<Result<CorrectedFee, Refusal<RefusalCode>>> {
  if (!isReturnFee(feeYen)) return refused(returnFeeRefusal(['fee']))
  const row = await tx
    .selectFrom('transfers')
    .select(['state', 'returnedOn'])
    .where('id', '=', transferId)
    .forUpdate()
    .executeTakeFirst()
  const before = await tx
    .selectFrom('transferReturnFees')
    .select('feeYen')
    .where('transferId', '=', transferId)
    .executeTakeFirst()
  const data = { id: `${transferId}` }
  if (!row) return refused(refusal('transfer/not-found', ['id'], data))
  // What was charged for a recall stays charged when the bank paid all the same.
  if (row.returnedOn === null && before === undefined) {
    const state = TRANSFER_STATE_LABELS[row.state as TransferState]
    return refused(refusal('transfer/state-not-allowed', ['id'], { ...data, state }))
  }
  const corrected = { beforeYen: before?.feeYen ?? 0n, afterYen: feeYen }
  if (corrected.beforeYen === feeYen) return ok(corrected)
  const updatedAt = new Date(clock.now())
  if (before) {
    await tx.updateTable('transferReturnFees').set({ feeYen, updatedAt }).where('transferId', '=', transferId).execute()
  } else {
    await tx
      .insertInto('transferReturnFees')
      .values({ transferId, chargedOn: row.returnedOn!, feeYen, updatedAt })
      .execute()
  }
  return ok(corrected)
}

export function returnFeeRefusal(path: readonly string[]): Refusal<RefusalCode> {
  return refusal('transfer/return-fee-out-of-range', path, { max: MAX_RETURN_FEE_YEN.toString() })
}
