import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import {
  PAYMENT_STATUS_LABELS,
  PAYMENT_TRANSITIONS,
  type PaymentEvent,
  type PaymentStatus,
} from '@pc/domain/payment/payment-states.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { logClose } from './close-log.ts'
import type { MonthKey } from './month-key.ts'

const MAX_MARKED = 10_000
const MAX_REASON = 200

export interface MarkedPayment {
  readonly id: bigint
  readonly before: PaymentStatus
  readonly after: PaymentStatus
}

interface MarkParts {
  readonly clock: Clock
  readonly actorUid: string
}

/** The bank has paid: scheduled or exported payments become paid, all of them or none. */
export async function markPaid(
  tx: Transaction,
  { clock, actorUid }: MarkParts,
  ids: readonly bigint[],
  paidOn: Day,
): Promise<Result<readonly MarkedPayment[], CloseRefusal>> {
  if (paidOn > today(clock)) return refused(refusal('payment/paid-on-future', ['paidOn']))
  const marked = await move(tx, ids, 'pay', { paidOn, paidAtMonth: monthOfDay(paidOn), returnedReason: null }, clock)
  if (!marked.ok) return marked
  await closePaidMonths(tx, clock, actorUid, marked.value.months)
  return ok(marked.value.payments)
}

/** The bank sent it back. A new transfer is made by people, never by itself. */
export async function markReturned(
  tx: Transaction,
  { clock, actorUid }: MarkParts,
  ids: readonly bigint[],
  reason: string,
): Promise<Result<readonly MarkedPayment[], CloseRefusal>> {
  const returnedReason = reason.trim()
  if (returnedReason === '' || returnedReason.length > MAX_REASON) {
    return refused(refusal('payment/reason-missing', ['reason']))
  }
  const marked = await move(tx, ids, 'return', { paidOn: null, paidAtMonth: null, returnedReason }, clock)
  if (!marked.ok) return marked
  const at = new Date(clock.now())
  for (const key of marked.value.months) {
    await logClose(tx, {
      ...key,
      at,
      actorUid,
      action: 'returned',
      detail: `組戻し ${marked.value.payments.length} 件`,
    })
  }
  return ok(marked.value.payments)
}

async function move(
  tx: Transaction,
  givenIds: readonly bigint[],
  event: PaymentEvent,
  change: { readonly paidOn: Day | null; readonly paidAtMonth: number | null; readonly returnedReason: string | null },
  clock: Clock,
): Promise<
  Result<{ readonly payments: readonly MarkedPayment[]; readonly months: readonly MonthKey[] }, CloseRefusal>
> {
  const ids = [...new Set(givenIds)]
  if (ids.length > MAX_MARKED) return refused(refusal('payment/too-many', ['ids'], { max: MAX_MARKED }))
  if (ids.length === 0) return ok({ payments: [], months: [] })
  const rows = await tx
    .selectFrom('monthlyPayments')
    .select(['id', 'mediumId', 'month', 'paymentStatus', 'hasBeenFinalized'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const found = new Map(rows.map(row => [row.id, row]))
  const refusals: CloseRefusal[] = []
  const payments: MarkedPayment[] = []
  for (const id of ids) {
    const row = found.get(id)
    const before = row?.paymentStatus as PaymentStatus
    const after = row && PAYMENT_TRANSITIONS[before][event]
    if (!row) refusals.push(refusal('payment/not-found', ['ids'], { id: id.toString() }))
    else if (!row.hasBeenFinalized) refusals.push(refusal('payment/not-finalized', ['ids'], { id: id.toString() }))
    else if (!after) {
      const status = PAYMENT_STATUS_LABELS[before]
      refusals.push(refusal('payment/status-not-allowed', ['ids'], { id: id.toString(), status }))
    } else payments.push({ id, before, after })
  }
  if (refusals.length > 0) return refused(...refusals.slice(0, 20))
  await tx
    .updateTable('monthlyPayments')
    .set({ ...change, paymentStatus: payments[0]!.after, updatedAt: new Date(clock.now()) })
    .where('id', 'in', ids)
    .execute()
  const months = new Map(rows.map(row => [`${row.mediumId}/${row.month}`, row]))
  return ok({
    payments,
    months: [...months.values()].map(({ mediumId, month }) => ({ mediumId, month: month as YearMonth })),
  })
}

/** finalised → paid, once nothing of the month is left to pay. */
async function closePaidMonths(
  tx: Transaction,
  clock: Clock,
  actorUid: string,
  months: readonly MonthKey[],
): Promise<void> {
  const at = new Date(clock.now())
  for (const key of months) {
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
      await logClose(tx, { ...key, at, actorUid, action: 'paid', detail: 'すべての支払が終わりました。' })
    }
  }
}
