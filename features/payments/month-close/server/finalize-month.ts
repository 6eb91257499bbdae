import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { finalizeRefusals } from '@pc/domain/payment/finalize-guard.ts'
import {
  finalizingEvent,
  isFinalMonth,
  type JobStatus,
  type MonthState,
  PAYMENT_TRANSITIONS,
} from '@pc/domain/payment/payment-states.ts'
import type { ChainLink } from '@pc/domain/payment/snapshot-chain.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { SettlementOutcome } from '@pc/domain/settlement/settlement-result.ts'
import { type Clock, dayAt, thisMonth } from '@pc/platform/clock.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { lockMonths } from '@pc/platform/postgres/month-lock.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { logClose } from '../../core/server/close-log.ts'
import { beforeBooks } from '../../core/server/first-month.ts'
import { readDataVersion, readSettings } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import {
  isPreviousMonthFinalized,
  readJobs,
  unfinishedIngest,
  unresolvedFailures,
} from '../../core/server/month-readiness.ts'
import { joinWholeTables, readVersions } from '../../core/server/month-version.ts'
import { closePaidMonths } from '../../core/server/move-payments.ts'
import { freezeEstimates } from '../../core/server/revenue-estimate.ts'
import { lockMonth } from '../../core/server/save-month.ts'
import { keepAudit } from './audit-results.ts'
import { CHECK_KINDS, CHECK_LABELS, type FindingsOfBooks, readFindingsOfBooks } from './close-checks.ts'
import { readClaims } from './draft-facts.ts'
import { NOBODY, readPreparers } from './month-preparers.ts'
import { readHashBefore } from './prepare-close.ts'
import type { MonthRefusal, PreparedClose } from './prepared-close.ts'

export interface FinalizeDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
}

/** The refusals with medium and month, which their Japanese texts name. */
const named = (key: MonthKey, refusals: readonly MonthRefusal[]): readonly MonthRefusal[] =>
  refusals.map(each => ({ ...each, data: { ...each.data, mediumId: key.mediumId.toString(), month: key.month } }))

/**
 * Closes a prepared month in the running transaction. It is refused when the database no longer holds what was checked;
 * otherwise the month is added to the hash chain and its rows are marked as final. Of several attempts at the same time
 * one succeeds, and the others find the month finalised.
 */
export async function commitClose(
  tx: Transaction,
  parts: Pick<FinalizeDependencies, 'clock' | 'stats'>,
  prepared: PreparedClose,
  finalizerUid: string,
): Promise<Result<{ readonly hash: string }, MonthRefusal>> {
  const { key } = prepared
  await joinWholeTables(tx)
  // First of all locks: waits for terms and rates that are being saved, and makes later ones wait for the close.
  await lockMonths(tx, key.mediumId, 'exclusive')
  const tooEarly = await beforeBooks(tx, key)
  if (tooEarly) return refused(...named(key, [tooEarly]))
  const state = await lockMonth(tx, key)
  if (isFinalMonth(state.state)) {
    return refused(...named(key, [refusal('payment/already-finalized')]))
  }
  const refusals = await reasonsAgainst(tx, parts, prepared, state, finalizerUid)
  if (refusals.length > 0) return refused(...named(key, refusals))
  if (!prepared.link || (await isOvertaken(tx, prepared, state))) {
    return refused(...named(key, [refusal('payment/changed-while-closing')]))
  }
  return ok(await freeze(tx, parts.clock, { ...prepared, link: prepared.link }, finalizerUid))
}

type StateRow = Awaited<ReturnType<typeof lockMonth>>

/** Checks for which `finalizeRefusals` has a refusal that says more than `payment/check-red`. */
const SAID_BY_GUARD: readonly (keyof FindingsOfBooks)[] = ['month_over', 'jobs', 'agreements', 'invariants']

/** The refusals from every red check of the close board. Statistics and the month before come from what was prepared. */
async function reasonsAgainst(
  tx: Transaction,
  parts: Pick<FinalizeDependencies, 'clock' | 'stats'>,
  prepared: PreparedClose,
  state: StateRow,
  finalizerUid: string,
): Promise<readonly MonthRefusal[]> {
  const { key, isStored, isDraftStale } = prepared
  if (prepared.refusals.length > 0) return prepared.refusals
  const jobs = await readJobs(tx, key)
  const { needsTwoPersons } = await readSettings(tx, key.month)
  const guard: MonthRefusal[] = [
    ...finalizeRefusals({
      state: isDraftStale || !isStored ? (state.state as MonthState) : 'computed',
      isMonthOver: thisMonth(parts.clock) > key.month,
      missingDays: prepared.missingDays,
      jobStatuses: jobs.map(job => job.jobStatus as JobStatus),
      unresolvedFailedJobs: unresolvedFailures(jobs).length,
      isDraftStale: isDraftStale || (state.state === 'open' && isStored),
      isPreviousMonthFinalized: await isPreviousMonthFinalized(tx, key, prepared.firstDay),
      violations: prepared.violations,
      needsTwoPersons,
      finalizerUid,
      ...(needsTwoPersons ? await readPreparers(tx, key, jobs, state.computedByUid) : NOBODY),
    }),
  ]
  const ingest = await unfinishedIngest(tx, key.month)
  if (ingest !== null) guard.push(refusal(`payment/ingest-${ingest}`))
  const isFresh = isStored && !isDraftStale && state.state !== 'open'
  const claims = await readClaims(tx, key)
  const draft = { refusals: [], isFresh, agreements: prepared.payments, claims, needsTwoPersons }
  const findings = await readFindingsOfBooks(tx, parts, key, { draft, jobs, state })
  const kinds = CHECK_KINDS.filter(kind => kind in findings) as (keyof FindingsOfBooks)[]
  const red = kinds
    .filter(kind => findings[kind].state === 'red' && !(guard.length > 0 && SAID_BY_GUARD.includes(kind)))
    .map(kind => refusal('payment/check-red', [], { label: CHECK_LABELS[kind], detail: findings[kind].detail }))
  return [...guard, ...red]
}

/** Whether anything has changed since it was checked. */
async function isOvertaken(tx: Transaction, { key, seen }: PreparedClose, state: StateRow): Promise<boolean> {
  const versions = await readVersions(tx, key)
  return (
    versions.books !== seen.booksVersion ||
    versions.rows !== seen.rowsVersion ||
    state.inputSeq !== seen.inputSeq ||
    state.inputHash !== seen.inputHash ||
    state.dataVersion !== (await readDataVersion(tx, key.month)) ||
    (await readHashBefore(tx, key)) !== seen.hashBefore
  )
}

async function freeze(
  tx: Transaction,
  clock: Clock,
  { key, link, payments, seen, shown, earners }: PreparedClose & { readonly link: ChainLink },
  finalizerUid: string,
): Promise<{ readonly hash: string }> {
  const at = new Date(clock.now())
  await keepHashes(tx, key, link.agreementHashes)
  await markRowsFinal(tx, key, at)
  const dataVersion = seen.dataVersion ?? ''
  const estimate = shown && { shown, dataVersion, occasion: 'finalize' as const, recordedAt: at }
  await freezeEstimates(tx, key, estimate, earners)
  await keepAudit(tx, { ...key, at, occasion: 'finalize', dataVersion: seen.dataVersion, violations: [] })
  await logClose(tx, { ...key, at, actorUid: finalizerUid, action: 'finalized', detail: `支払 ${payments} 件` })
  // Last, because triggers refuse every change to the rows of a month that is marked as finalised.
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
  // A month in which everything is carried over or held has nothing to pay, so it is paid at once.
  await closePaidMonths(tx, { clock, actorUid: finalizerUid }, [key])
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
  const statusOf = (outcome: SettlementOutcome) => PAYMENT_TRANSITIONS.computed[finalizingEvent(outcome)]!
  await tx
    .updateTable('monthlyPayments')
    .set(eb => ({
      hasBeenFinalized: true,
      paymentStatus: eb
        .case('outcome')
        .when('scheduled')
        .then(statusOf('scheduled'))
        .when('carried_over')
        .then(statusOf('carried_over'))
        .else(statusOf('held'))
        .end(),
      finalizedAt: at,
      finalizedAtMonth: monthOfDay(dayAt(at.getTime())),
      updatedAt: at,
    }))
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .execute()
}
