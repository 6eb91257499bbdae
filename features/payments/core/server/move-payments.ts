import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import {
  PAYMENT_STATUS_LABELS,
  PAYMENT_TRANSITIONS,
  type PaymentEvent,
  type PaymentStatus,
} from '@pc/domain/payment/payment-states.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { logClose } from './close-log.ts'
import type { MonthKey } from './month-key.ts'

export interface MovedPayment {
  readonly id: bigint
  readonly before: PaymentStatus
  readonly after: PaymentStatus
}

export interface Moved {
  readonly payments: readonly MovedPayment[]
  readonly months: readonly MonthKey[]
}

/** The columns of a finalised payment that its way through the bank changes. */
export interface PaymentChange {
  readonly paidOn?: Day | null
  readonly paidAtMonth?: number | null
  readonly returnedReason?: string | null
}

/** Payments per statement; their ids are parameters, of which PostgreSQL allows 65,535. */
const CHUNK = 10_000
const MAX_NAMED = 20

/**
 * Moves payments by one event, all of them or none: one payment that does not allow the event refuses all. At most 20
 * refusals are named.
 */
export async function movePayments(
  tx: Transaction,
  givenIds: readonly bigint[],
  event: PaymentEvent,
  change: PaymentChange,
  clock: Clock,
): Promise<Result<Moved, CloseRefusal>> {
  const ids = [...new Set(givenIds)].toSorted((a, b) => (a < b ? -1 : 1))
  const payments: MovedPayment[] = []
  const months = new Map<string, MonthKey>()
  const refusals: CloseRefusal[] = []
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK)
    const rows = await tx
      .selectFrom('monthlyPayments')
      .select(['id', 'mediumId', 'month', 'paymentStatus', 'hasBeenFinalized'])
      .where('id', 'in', chunk)
      .orderBy('id')
      .forUpdate()
      .execute()
    const found = new Map(rows.map(row => [row.id, row]))
    for (const id of chunk) {
      const row = found.get(id)
      const before = row?.paymentStatus as PaymentStatus
      const after = row && PAYMENT_TRANSITIONS[before][event]
      if (!row) refusals.push(refusal('payment/not-found', ['ids'], { id: id.toString() }))
      else if (!row.hasBeenFinalized) refusals.push(refusal('payment/not-finalized', ['ids'], { id: id.toString() }))
      else if (!after) {
        const status = PAYMENT_STATUS_LABELS[before]
        refusals.push(refusal('payment/status-not-allowed', ['ids'], { id: id.toString(), status }))
      } else {
        payments.push({ id, before, after })
        months.set(`${row.mediumId}/${row.month}`, { mediumId: row.mediumId, month: row.month as YearMonth })
      }
    }
    if (refusals.length > 0) return refused(...refusals.slice(0, MAX_NAMED))
    await tx
      .updateTable('monthlyPayments')
      .set({ ...change, paymentStatus: payments.at(-1)!.after, updatedAt: new Date(clock.now()) })
      .where('id', 'in', chunk)
      .execute()
  }
  return ok({ payments, months: [...months.values()] })
}

/** finalised → paid, once nothing of a month is left to pay. */
export async function closePaidMonths(
  tx: Transaction,
  { clock, actorUid }: { readonly clock: Clock; readonly actorUid: string },
  months: readonly MonthKey[],
): Promise<void> {
  const at = new Date(clock.now())
  for (const key of months.toSorted((a, b) => a.month - b.month || (a.mediumId < b.mediumId ? -1 : 1))) {
    // The lock makes two transactions that pay the last payments wait for each other, so that the second one sees none
    // left.
    await tx
      .selectFrom('monthStates')
      .select('state')
      .where('mediumId', '=', key.mediumId)
      .where('month', '=', key.month)
      .forUpdate()
      .executeTakeFirst()
    const left = await tx
      .selectFrom('monthlyPayments')
      .select('id')
      .where('mediumId', '=', key.mediumId)
      .where('month', '=', key.month)
      .where('paymentStatus', 'in', ['scheduled', 'exported', 'returned'])
      .limit(1)
      .executeTakeFirst()
    if (left) continue
    const { numUpdatedRows } = await tx
      .updateTable('monthStates')
      .set({ state: 'paid', paidAt: at })
      .where('mediumId', '=', key.mediumId)
      .where('month', '=', key.month)
      .where('state', '=', 'finalized')
      .executeTakeFirst()
    if (numUpdatedRows > 0n) {
      await logClose(tx, { ...key, at, actorUid, action: 'paid', detail: '未払の支払はありません。' })
    }
  }
}

/** Adds an entry to the log of each month whose payments were returned. */
export async function logReturned(
  tx: Transaction,
  { clock, actorUid }: { readonly clock: Clock; readonly actorUid: string },
  moved: Moved,
): Promise<void> {
  const at = new Date(clock.now())
  for (const key of moved.months) {
    await logClose(tx, { ...key, at, actorUid, action: 'returned', detail: `組戻し ${moved.payments.length} 件` })
  }
}
