import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import type { FinalizeRefusal } from '@pc/domain/payment/finalize-guard.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { SettledMonth, SettledPayment, SettledPublisherPayment } from '@pc/domain/settlement/settlement-result.ts'
import { type BulkRows, type BulkTable, bulkRowSteps, insertBulk, replacing } from '@pc/platform/postgres/bulk-rows.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { beforeBooks } from './first-month.ts'
import { keptHead, type LoadedMonth } from './load-month.ts'
import type { MonthKey } from './month-key.ts'
import { joinWholeTables } from './month-version.ts'
import { carriedRows, SETTLED_TABLES } from './settled-rows.ts'

/** Books the ledger lines again as the settlement allocates pools. The feature that owns the ledger supplies it. */
export type RebookPools = (tx: Transaction, key: MonthKey, settled: SettledMonth) => Promise<void>

/** A settled month written out as it will be stored. */
export interface MonthDraft {
  readonly loaded: LoadedMonth
  readonly settled: SettledMonth
  readonly head: string
  readonly rows: SettledRows
}

/** Writes out the rows before the transaction begins, which then only sends them and holds its locks for a short time. */
export function* draftSteps(loaded: LoadedMonth, settled: SettledMonth): CooperativeSteps<MonthDraft> {
  const head = canonicalText({ ...keptHead(loaded.input), pools: settled.pools, warnings: settled.warnings })
  return { loaded, settled, head, rows: yield* settledRows(loaded, settled) }
}

export interface SaveMonth {
  readonly draft: MonthDraft
  readonly computedAt: Date
  readonly computedByUid: string | null
  readonly rebookPools: RebookPools
}
type SaveRefusal = CloseRefusal | FinalizeRefusal

/** Locks the month's row, as everything that changes the month does. The row is created when there is none. */
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
  const { loaded, settled, head, rows } = save.draft
  const { key } = loaded
  await joinWholeTables(tx)
  const tooEarly = await beforeBooks(tx, key)
  if (tooEarly) return refused(tooEarly)
  const state = await lockMonth(tx, key)
  if (isFinalMonth(state.state)) return refused(refusal('payment/already-finalized'))
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
  // Rows that break an invariant are written again, even when the inputs have not changed.
  if (!isSame || (await hasViolations(tx, key))) {
    await save.rebookPools(tx, key, settled)
    await replaceRows(tx, loaded, settled, rows)
  }
  await tx
    .updateTable('monthStates')
    .set({
      state: 'computed',
      dataVersion: loaded.dataVersion,
      inputHash: loaded.inputHash,
      booksVersion: loaded.booksVersion,
      head,
      computedAt: save.computedAt,
      // The last person who computed the month stays a preparer when the system computes it again.
      computedByUid: save.computedByUid ?? state.computedByUid,
    })
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .execute()
  return ok(undefined)
}

async function hasViolations(tx: Transaction, { mediumId, month }: MonthKey): Promise<boolean> {
  const last = await tx
    .selectFrom('invariantRuns')
    .select('violations')
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (last?.violations ?? 0) > 0
}

type SettledRows = Readonly<Record<keyof typeof SETTLED_TABLES, BulkRows>>

/** The rows of a settled month as they will be sent. */
function* settledRows(
  { key, facts, inputTexts }: LoadedMonth,
  { payments, pools }: SettledMonth,
): CooperativeSteps<SettledRows> {
  const payees = payments.map(payment => ({ payment, facts: facts.get(payment.agreementId)! }))
  const publishers = payments.flatMap(payment => payment.publishers.map(publisher => ({ payment, publisher })))
  const ofPublishers = <T>(parts: (publisher: SettledPublisherPayment) => readonly T[]) =>
    publishers.flatMap(row => parts(row.publisher).map(part => ({ ...part, ...row })))
  const ofPayments = <T>(parts: (payment: SettledPayment) => readonly T[]) =>
    payments.flatMap(payment => parts(payment).map(part => ({ ...part, payment })))
  const t = SETTLED_TABLES
  return {
    snapshots: yield* bulkRowSteps(t.snapshots, payees),
    inputs: yield* bulkRowSteps(
      t.inputs,
      payments.map(payment => ({ payment, text: inputTexts.get(payment.agreementId)! })),
    ),
    payments: yield* bulkRowSteps(t.payments, payees),
    publishers: yield* bulkRowSteps(t.publishers, publishers),
    rules: yield* bulkRowSteps(t.rules, publishers),
    carried: yield* bulkRowSteps(t.carried, ofPublishers(carriedRows)),
    adjustments: yield* bulkRowSteps(
      t.adjustments,
      ofPublishers(publisher => publisher.adjustments),
    ),
    taxLines: yield* bulkRowSteps(
      t.taxLines,
      ofPayments(payment => payment.taxLines),
    ),
    paidBuckets: yield* bulkRowSteps(
      t.paidBuckets,
      ofPayments(payment => payment.paidBuckets),
    ),
    pools: yield* bulkRowSteps(
      t.pools,
      pools.map(pool => ({ ...pool, ...key })),
    ),
  }
}

async function replaceRows(tx: Transaction, { key }: LoadedMonth, settled: SettledMonth, rows: SettledRows) {
  const isThere = await tx
    .selectFrom('monthlyAgreementSnapshots')
    .select('id')
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .limit(1)
    .executeTakeFirst()
  if (isThere) await removeOthers(tx, key, settled)
  // A first draft has no rows to replace, so it needs no `on conflict`.
  const ending = (table: keyof typeof SETTLED_TABLES, names: readonly string[], also = '') =>
    isThere ? replacing(SETTLED_TABLES[table] as BulkTable<never>, names, also) : undefined
  await insertBulk(tx, rows.snapshots, ending('snapshots', ['agreement_id', 'month']))
  await insertBulk(tx, rows.inputs, ending('inputs', ['snapshot_id']))
  await insertBulk(tx, rows.payments, ending('payments', ['agreement_id', 'month'], ', updated_at = now()'))
  await insertBulk(
    tx,
    rows.publishers,
    ending('publishers', ['monthly_payment_id', 'publisher_id'], ', updated_at = now()'),
  )
  await insertBulk(tx, rows.rules, ending('rules', ['monthly_publisher_payment_id']))
  for (const table of ['carried', 'adjustments', 'taxLines', 'paidBuckets', 'pools'] as const) {
    await insertBulk(tx, rows[table])
  }
}

/** Rows without an id of their own are replaced; those of agreements and publishers that are gone disappear. */
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
    and agreement_id <> all (${agreementIds}::bigint[])`.execute(tx)
  await sql`delete from monthly_publisher_payments p where medium_id = ${mediumId} and month = ${month}
    and not exists (select from unnest(${`{${publishers.map(({ each }) => each.agreementId).join(',')}}`}::text::bigint[],
      ${`{${publishers.map(({ publisherId }) => publisherId).join(',')}}`}::text::bigint[]) k (agreement_id, publisher_id)
      where k.agreement_id = p.agreement_id and k.publisher_id = p.publisher_id)`.execute(tx)
}
