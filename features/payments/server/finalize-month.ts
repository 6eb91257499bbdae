import { addMonths, formatYearMonth, lastDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import { type FinalizeRefusal, finalizeRefusals } from '@pc/domain/payment/finalize-guard.ts'
import {
  finalizingEvent,
  type JobStatus,
  type MonthState,
  PAYMENT_TRANSITIONS,
} from '@pc/domain/payment/payment-states.ts'
import type { SettlementRefusal } from '@pc/domain/payment/settlement-check.ts'
import { chainLink } from '@pc/domain/payment/snapshot-chain.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Clock, dayAt, thisMonth } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { lockMonths } from '@pc/platform/postgres/month-lock.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { keepAudit } from './audit-results.ts'
import { storedViolations } from './check-month.ts'
import { logClose } from './close-log.ts'
import { snapshotContent } from './finalized-chain.ts'
import { loadMonthAgain, sha256 } from './load-month.ts'
import type { MonthKey } from './month-key.ts'
import { daysOf, readDaysWithStatistics, readFirstMonths } from './month-statistics.ts'
import { lockMonth } from './save-month.ts'
import { readStoredMonth, type StoredMonth } from './stored-month.ts'

export interface FinalizeParts {
  readonly stats: StatsStore
  readonly clock: Clock
}
type MonthRefusal = CloseRefusal | FinalizeRefusal | SettlementRefusal

/** Japanese texts say which month; the code stays that of the rule. */
const named = (key: MonthKey, refusals: readonly MonthRefusal[]): readonly MonthRefusal[] =>
  refusals.map(each => ({ ...each, data: { ...each.data, mediumId: key.mediumId.toString(), month: key.month } }))

/**
 * Closes a month: all of it in the running transaction, or nothing. The inputs are loaded once more and must be those
 * of the draft, the stored rows must pass every check, and then they are hashed and chained. Of many who try at the
 * same time one succeeds; the others find the month finalised.
 */
export async function finalizeMonth(
  tx: Transaction,
  parts: FinalizeParts,
  key: MonthKey,
  finalizerUid: string,
): Promise<Result<{ readonly hash: string }, MonthRefusal>> {
  await lockMonths(tx, key.mediumId, 'exclusive') // terms and rates being saved now are waited for, or come too late
  const state = await lockMonth(tx, key)
  if (state.state === 'finalized' || state.state === 'paid') {
    return refused(...named(key, [refusal('payment/already-finalized')]))
  }
  const stored = await readStoredMonth(tx, key)
  const refusals = await reasonsAgainst(tx, parts, key, state, stored, finalizerUid)
  if (refusals.length > 0 || !stored) return refused(...named(key, refusals))
  return ok(await freeze(tx, parts.clock, stored, finalizerUid))
}

/** Every red check; the same that the close board shows. */
async function reasonsAgainst(
  tx: Transaction,
  { stats, clock }: FinalizeParts,
  key: MonthKey,
  state: Awaited<ReturnType<typeof lockMonth>>,
  stored: StoredMonth | undefined,
  finalizerUid: string,
): Promise<readonly MonthRefusal[]> {
  const loaded = await loadMonthAgain(tx, stats, key)
  if (!loaded.ok) return loaded.refusals
  const jobs = await readJobs(tx, key)
  const isDraftStale = stored !== undefined && loaded.value.inputHash !== state.inputHash
  const guard = finalizeRefusals({
    state: isDraftStale || stored === undefined ? (state.state as MonthState) : 'computed',
    isMonthOver: thisMonth(clock) > key.month,
    missingDays: (await missingDays(stats, key)).length,
    jobStatuses: jobs.map(job => job.jobStatus as JobStatus),
    unresolvedFailedJobs: unresolvedFailures(jobs).length,
    isDraftStale: isDraftStale || (state.state === 'open' && stored !== undefined),
    isPreviousMonthFinalized: await isPreviousMonthFinalized(tx, stats, key),
    violations: stored && !isDraftStale ? await storedViolations(tx, stats, stored) : [],
    needsTwoPersons: loaded.value.needsTwoPersons,
    finalizerUid,
    preparerUids: preparersOf(jobs, state.computedByUid),
  })
  const others: CloseRefusal[] = (await isIngestRunning(tx, key.month)) ? [refusal('payment/ingest-running')] : []
  return [...guard, ...others]
}

export interface JobFacts {
  readonly id: bigint
  readonly kind: string
  readonly jobStatus: string
  readonly userUid: string | null
}

export function readJobs(tx: Transaction, key: MonthKey): Promise<readonly JobFacts[]> {
  return tx
    .selectFrom('dividends')
    .select(['id', 'kind', 'jobStatus', 'userUid'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('id')
    .execute()
}

/** Failed jobs that neither a later success of the same kind nor a later reset has made good. */
export function unresolvedFailures(jobs: readonly JobFacts[]): readonly JobFacts[] {
  return jobs.filter(
    (job, index) =>
      job.jobStatus === 'failed' &&
      !jobs
        .slice(index + 1)
        .some(later => later.jobStatus === 'success' && (later.kind === job.kind || later.kind === 'reset')),
  )
}

export function preparersOf(jobs: readonly JobFacts[], computedByUid: string | null): readonly string[] {
  const uids = [...jobs.map(job => job.userUid), computedByUid].filter(uid => uid !== null)
  return [...new Set(uids)]
}

/** Days without figures; none for a medium that has never had any. */
export async function missingDays(stats: StatsStore, key: MonthKey): Promise<readonly string[]> {
  const first = (await readFirstMonths(stats)).get(key.mediumId)
  if (first === undefined) return []
  const present = await readDaysWithStatistics(stats, key)
  return daysOf(key.month).filter(day => day >= first && !present.has(day))
}

/** The books begin with the first month that has figures or rows; every later month needs the one before it. */
export async function isPreviousMonthFinalized(tx: Transaction, stats: StatsStore, key: MonthKey): Promise<boolean> {
  const previous = addMonths(key.month, -1)
  const closing = await tx
    .selectFrom('monthClosings')
    .select('month')
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', previous)
    .executeTakeFirst()
  if (closing) return true
  const { earliest } = await tx
    .selectFrom('monthClosings')
    .select(eb => eb.fn.min('month').as('earliest'))
    .where('mediumId', '=', key.mediumId)
    .executeTakeFirstOrThrow()
  if (earliest !== null && earliest < key.month) return false
  const computed = await tx
    .selectFrom('monthlyPayments')
    .select('month')
    .where('mediumId', '=', key.mediumId)
    .where('month', '<', key.month)
    .limit(1)
    .executeTakeFirst()
  if (computed) return false
  const first = (await readFirstMonths(stats)).get(key.mediumId)
  return first === undefined || monthOfDay(first) >= key.month
}

export async function isIngestRunning(tx: Transaction, month: YearMonth): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`select 1 as found from ingest_batches where state = 'applying'
    and (first_day is null or first_day <= ${lastDayOf(month)}::date) and (last_day is null or last_day >= ${`${formatYearMonth(month)}-01`}::date)
    limit 1`.execute(tx)
  return rows.length > 0
}

async function freeze(
  tx: Transaction,
  clock: Clock,
  stored: StoredMonth,
  finalizerUid: string,
): Promise<{ readonly hash: string }> {
  const { key, settled, snapshots, state } = stored
  const at = new Date(clock.now())
  const previous = await tx
    .selectFrom('monthStates')
    .select('hash')
    .where('mediumId', '=', key.mediumId)
    .where('month', '<', key.month)
    .where('state', 'in', ['finalized', 'paid'])
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  const textOf = new Map(snapshots.map(snapshot => [snapshot.agreementId, snapshot.inputText]))
  const link = chainLink(
    { ...key, head: state.head },
    settled.payments.map(payment => ({
      agreementId: payment.agreementId,
      content: snapshotContent(textOf.get(payment.agreementId) ?? '', payment),
    })),
    previous?.hash ?? null,
    sha256,
  )
  await keepHashes(tx, key, link.agreementHashes)
  await markRowsFinal(tx, key, at)
  await keepAudit(tx, { ...key, at, occasion: 'finalize', dataVersion: state.dataVersion, violations: [] })
  const detail = `支払 ${settled.payments.filter(each => each.paymentYen > 0n).length} 件`
  await logClose(tx, { ...key, at, actorUid: finalizerUid, action: 'finalized', detail })
  // Last: from here on the walls around the month stand.
  await tx
    .updateTable('monthStates')
    .set({
      state: 'finalized',
      finalizedAt: at,
      finalizedByUid: finalizerUid,
      previousHash: link.previousHash,
      headHash: link.headHash,
      hash: link.hash,
    })
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .execute()
  return { hash: link.hash }
}

async function keepHashes(
  tx: Transaction,
  key: MonthKey,
  hashes: readonly { readonly agreementId: bigint; readonly hash: string }[],
): Promise<void> {
  const ids = `{${hashes.map(each => each.agreementId).join(',')}}`
  const texts = `{${hashes.map(each => each.hash).join(',')}}`
  await sql`update monthly_snapshot_inputs i set hash = h.hash
    from unnest(${ids}::text::bigint[], ${texts}::text::text[]) h (agreement_id, hash), monthly_agreement_snapshots s
    where s.agreement_id = h.agreement_id and s.medium_id = ${key.mediumId} and s.month = ${key.month}
      and i.snapshot_id = s.id`.execute(tx)
}

async function markRowsFinal(tx: Transaction, { mediumId, month }: MonthKey, at: Date): Promise<void> {
  for (const table of ['monthlyAgreementSnapshots', 'monthlyPublisherPayments', 'monthlyRuleSnapshots'] as const) {
    await tx
      .updateTable(table)
      .set({ hasBeenFinalized: true })
      .where('mediumId', '=', mediumId)
      .where('month', '=', month)
      .execute()
  }
  for (const outcome of ['scheduled', 'carried_over', 'held'] as const) {
    const paymentStatus = PAYMENT_TRANSITIONS.computed[finalizingEvent(outcome)]!
    await tx
      .updateTable('monthlyPayments')
      .set({
        hasBeenFinalized: true,
        paymentStatus,
        finalizedAt: at,
        finalizedAtMonth: monthOfDay(dayAt(at.getTime())),
        updatedAt: at,
      })
      .where('mediumId', '=', mediumId)
      .where('month', '=', month)
      .where('outcome', '=', outcome)
      .execute()
  }
}
