import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import type { FinalizeRefusal } from '@pc/domain/payment/finalize-guard.ts'
import type { SettledMonth } from '@pc/domain/payment/settlement-result.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { insertBulk, replacing } from './bulk-rows.ts'
import { keptHead, type LoadedMonth } from './load-month.ts'
import type { MonthKey } from './month-key.ts'
import {
  ADJUSTMENT_COLUMNS,
  CARRIED_COLUMNS,
  carriedRows,
  INPUT_COLUMNS,
  PAID_COLUMNS,
  PAYMENT_COLUMNS,
  type PayeeRow,
  type PaymentRow,
  POOL_COLUMNS,
  PUBLISHER_COLUMNS,
  type PublisherRow,
  RULE_COLUMNS,
  SNAPSHOT_COLUMNS,
  TAX_COLUMNS,
} from './settled-rows.ts'

/** Keeps the ledger in step with what the settlement allocates; the feature that owns the ledger brings it. */
export type RebookPools = (tx: Transaction, key: MonthKey, settled: SettledMonth) => Promise<void>

export interface SaveMonth {
  readonly loaded: LoadedMonth
  readonly settled: SettledMonth
  readonly computedAt: Date
  readonly computedByUid: string | null
  readonly rebookPools: RebookPools
}
type SaveRefusal = CloseRefusal | FinalizeRefusal

/** Locks the month against everything that changes it; the row is made when there is none. */
export async function lockMonth(tx: Transaction, key: MonthKey) {
  const find = () =>
    tx
      .selectFrom('monthStates')
      .selectAll()
      .where('mediumId', '=', key.mediumId)
      .where('month', '=', key.month)
      .forUpdate()
      .executeTakeFirst()
  const found = await find()
  if (found) return found
  await tx
    .insertInto('monthStates')
    .values(key)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const made = await find()
  if (!made) throw new Error('the month that was just made is gone')
  return made
}

/**
 * Replaces the draft of the month by the settlement, as a whole; rows that stay keep their ids, and the same settlement
 * gives the same rows. Refused when the month is finalised, or when a job has run since the inputs were loaded.
 */
export async function saveMonth(tx: Transaction, save: SaveMonth): Promise<Result<void, SaveRefusal>> {
  const { loaded, settled } = save
  const { key } = loaded
  const state = await lockMonth(tx, key)
  if (state.state === 'finalized' || state.state === 'paid') return refused(refusal('payment/already-finalized'))
  const unfinished = await tx
    .selectFrom('dividends')
    .select('id')
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .where('jobStatus', 'in', ['pending', 'running'])
    .execute()
  if (unfinished.length > 0) return refused(refusal('payment/job-running', [], { jobs: unfinished.length }))
  if (state.inputSeq !== loaded.inputSeq) return refused(refusal('payment/changed-meanwhile'))
  const isSame = state.state === 'computed' && state.inputHash === loaded.inputHash
  if (!isSame) {
    await save.rebookPools(tx, key, settled)
    await replaceRows(tx, loaded, settled)
  }
  await tx
    .updateTable('monthStates')
    .set({
      state: 'computed',
      dataVersion: loaded.dataVersion,
      inputHash: loaded.inputHash,
      head: canonicalText({ ...keptHead(loaded.input), pools: settled.pools, warnings: settled.warnings }),
      computedAt: save.computedAt,
      computedByUid: save.computedByUid,
    })
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .execute()
  return ok(undefined)
}

async function replaceRows(tx: Transaction, loaded: LoadedMonth, settled: SettledMonth): Promise<void> {
  const { key, facts, inputTexts } = loaded
  await removeOthers(tx, key, settled)
  const snapshotIds = await insertBulk<PayeeRow, { id: bigint; agreementId: bigint }>(
    tx,
    'monthly_agreement_snapshots',
    SNAPSHOT_COLUMNS,
    settled.payments.map(payment => ({ payment, facts: facts.get(payment.agreementId)! })),
    sql`${replacing(SNAPSHOT_COLUMNS, ['agreement_id', 'month'])} returning id, agreement_id`,
  )
  const snapshotOf = new Map(snapshotIds.map(row => [row.agreementId, row.id]))
  const paymentRows = settled.payments.map(payment => ({
    payment,
    facts: facts.get(payment.agreementId)!,
    snapshotId: snapshotOf.get(payment.agreementId)!,
  }))
  await insertBulk(
    tx,
    'monthly_snapshot_inputs',
    INPUT_COLUMNS,
    paymentRows.map(({ payment, snapshotId }) => ({ payment, snapshotId, text: inputTexts.get(payment.agreementId)! })),
    replacing(INPUT_COLUMNS, ['snapshot_id']),
  )
  const paymentIds = await insertBulk<PaymentRow, { id: bigint; agreementId: bigint }>(
    tx,
    'monthly_payments',
    PAYMENT_COLUMNS,
    paymentRows,
    sql`${replacing(PAYMENT_COLUMNS, ['agreement_id', 'month'], ', updated_at = now()')} returning id, agreement_id`,
  )
  const idOf = new Map(paymentIds.map(row => [row.agreementId, row.id]))
  await insertParts(tx, settled, payment => idOf.get(payment.agreementId)!)
  await insertBulk(
    tx,
    'monthly_pools',
    POOL_COLUMNS,
    settled.pools.map(pool => ({ ...pool, ...key })),
  )
}

/** Rows without an id of their own are written anew; those of agreements and publishers that are gone disappear. */
async function removeOthers(tx: Transaction, { mediumId, month }: MonthKey, settled: SettledMonth): Promise<void> {
  for (const table of [
    'monthlyCarriedBuckets',
    'monthlyAdjustments',
    'monthlyTaxLines',
    'monthlyPaidBuckets',
    'monthlyPools',
  ] as const) {
    await tx.deleteFrom(table).where('mediumId', '=', mediumId).where('month', '=', month).execute()
  }
  const agreementIds = `{${settled.payments.map(payment => payment.agreementId).join(',')}}`
  const publishers = settled.payments.flatMap(each => each.publishers.map(({ publisherId }) => ({ each, publisherId })))
  await sql`delete from monthly_agreement_snapshots where medium_id = ${mediumId} and month = ${month}
    and agreement_id <> all (${agreementIds}::text::bigint[])`.execute(tx)
  await sql`delete from monthly_publisher_payments p where medium_id = ${mediumId} and month = ${month}
    and not exists (select from unnest(${`{${publishers.map(({ each }) => each.agreementId).join(',')}}`}::text::bigint[],
      ${`{${publishers.map(({ publisherId }) => publisherId).join(',')}}`}::text::bigint[]) k (agreement_id, publisher_id)
      where k.agreement_id = p.agreement_id and k.publisher_id = p.publisher_id)`.execute(tx)
}

async function insertParts(
  tx: Transaction,
  settled: SettledMonth,
  idOf: (payment: SettledMonth['payments'][number]) => bigint,
): Promise<void> {
  const { payments } = settled
  const publisherRows = payments.flatMap(payment =>
    payment.publishers.map(publisher => ({ payment, publisher, paymentId: idOf(payment) })),
  )
  const ids = await insertBulk<PublisherRow, { id: bigint; paymentId: bigint; publisherId: bigint }>(
    tx,
    'monthly_publisher_payments',
    PUBLISHER_COLUMNS,
    publisherRows,
    sql`${replacing(PUBLISHER_COLUMNS, ['monthly_payment_id', 'publisher_id'], ', updated_at = now()')}
      returning id, monthly_payment_id as payment_id, publisher_id`,
  )
  const publisherIdOf = new Map(ids.map(row => [`${row.paymentId}/${row.publisherId}`, row.id]))
  const rows = publisherRows.map(({ payment, publisher, paymentId }) => ({
    payment,
    publisher,
    under: publisherIdOf.get(`${paymentId}/${publisher.publisherId}`)!,
  }))
  await insertBulk(
    tx,
    'monthly_rule_snapshots',
    RULE_COLUMNS,
    rows.map(({ payment, publisher, under }) => ({ ...publisher, payment, under })),
    replacing(RULE_COLUMNS, ['monthly_publisher_payment_id']),
  )
  await insertBulk(
    tx,
    'monthly_carried_buckets',
    CARRIED_COLUMNS,
    rows.flatMap(({ payment, publisher, under }) => carriedRows(publisher).map(row => ({ ...row, payment, under }))),
  )
  await insertBulk(
    tx,
    'monthly_adjustments',
    ADJUSTMENT_COLUMNS,
    rows.flatMap(({ payment, publisher, under }) => publisher.adjustments.map(row => ({ ...row, payment, under }))),
  )
  const ofPayments = <T>(parts: (payment: SettledMonth['payments'][number]) => readonly T[]) =>
    payments.flatMap(payment => parts(payment).map(part => ({ ...part, payment, under: idOf(payment) })))
  await insertBulk(
    tx,
    'monthly_tax_lines',
    TAX_COLUMNS,
    ofPayments(payment => payment.taxLines),
  )
  await insertBulk(
    tx,
    'monthly_paid_buckets',
    PAID_COLUMNS,
    ofPayments(payment => payment.paidBuckets),
  )
}
