import type { Permit } from '@pc/domain/access/decide.ts'
import { type MonthAmount, type MonthChange, monthChange } from '@pc/domain/explain/month-change.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { SettledPayment } from '@pc/domain/settlement/settlement-result.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { inScope } from '../../core/server/payment-store.ts'
import { readSettledPayment } from '../../core/server/stored-month.ts'
import { readNames } from './explain-amount.ts'

type ShowPermit = Permit<'read:show', 'insight:monthly_payment.'>

export interface PaymentChange extends MonthChange {
  readonly month: YearMonth
  readonly monthBefore: YearMonth
}

interface ChangeRequest {
  readonly kind: 'payment' | 'publisher_payment'
  readonly id: bigint
  readonly permit: ShowPermit
  readonly mayReadRates: boolean
}

interface Row {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly agreementId: bigint
  /** Set when one publisher's part is explained; null: the whole payment. */
  readonly publisherId: bigint | null
}

/** Why a payment differs from that of the month before. Undefined: no such row for this viewer, or none of the month before. */
export async function changeOfPayment(
  { database }: { readonly database: Database },
  { kind, id, permit, mayReadRates }: ChangeRequest,
): Promise<PaymentChange | undefined> {
  const row = await database.inScope(permit.scope, tx => findRow(tx, kind, id, permit))
  if (!row) return undefined
  // The viewer may see both rows. What they were computed from is read as SYSTEM and reduced to the viewer's rights below.
  const before = addMonths(row.month, -1)
  return database.inScope(SYSTEM, async tx => {
    const read = (month: YearMonth) => readSettledPayment(tx, { mediumId: row.mediumId, month }, row.agreementId)
    const [earlier, later] = [await read(before), await read(row.month)]
    if (!earlier || !later) return undefined
    const [then, now] = [amountOf(earlier.payment, row), amountOf(later.payment, row)]
    if (then.parts.length === 0 || now.parts.length === 0) return undefined
    const nameOf = await readNames(
      tx,
      [...then.parts, ...now.parts].map(part => part.publisherId),
    )
    // Only staff see pools, and only those who may read rates see the effect of a rate on own ads.
    const isStaff = permit.scope.kind === 'all'
    const splits = { ownAds: isStaff || mayReadRates, pools: isStaff }
    const change = monthChange({ months: { before, now: row.month }, before: then, now, nameOf, splits })
    return { month: row.month, monthBefore: before, ...change }
  })
}

/** Finds the row if the viewer may see it and the row of the month before. */
async function findRow(
  tx: Transaction,
  kind: ChangeRequest['kind'],
  id: bigint,
  permit: ShowPermit,
): Promise<Row | undefined> {
  const isOwn = inScope(permit)
  const { rows } =
    kind === 'payment'
      ? await sql<Row>`select p.medium_id, p.month, p.agreement_id, null::bigint as publisher_id
          from monthly_payments p where p.id = ${id} and ${isOwn}`.execute(tx)
      : await sql<Row>`select p.medium_id, p.month, p.agreement_id, p.publisher_id
          from monthly_publisher_payments p where p.id = ${id} and ${isOwn}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const earlier = addMonths(row.month, -1)
  const of = sql<boolean>`p.medium_id = ${row.mediumId} and p.agreement_id = ${row.agreementId} and p.month = ${earlier}`
  const { rows: found } =
    row.publisherId === null
      ? await sql`select from monthly_payments p where ${of} and ${isOwn}`.execute(tx)
      : await sql`select from monthly_publisher_payments p
          where ${of} and p.publisher_id = ${row.publisherId} and ${isOwn}`.execute(tx)
  return found.length === 0 ? undefined : row
}

function amountOf(payment: SettledPayment, { publisherId }: Row): MonthAmount {
  if (publisherId === null) return { parts: payment.publishers, taxYen: payment.paymentTaxYen }
  return { parts: payment.publishers.filter(part => part.publisherId === publisherId), taxYen: undefined }
}
