import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { isSameValue } from '@pc/domain/payment/canonical-text.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import { type ChainLink, chainLinkSteps } from '@pc/domain/payment/snapshot-chain.ts'
import type { Violation } from '@pc/domain/settlement/violation.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { currentSignal, stopIfAborted, withSignal } from '@pc/platform/request-signal.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { beside, joinSteps, sha256 } from '../../core/server/load-month.ts'
import { type MonthBooks, readMonthBooks } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { missingDays, readFirstDay, readStatisticsNeed } from '../../core/server/month-readiness.ts'
import { type OwnAdsOfMonth, readOwnAds } from '../../core/server/month-statistics.ts'
import { joinWholeTables, readAroundVersion, readVersions } from '../../core/server/month-version.ts'
import { hasEstimate, readShownRevenue } from '../../core/server/revenue-estimate.ts'
import { type StoredMonth, storedMonthSteps } from '../../core/server/stored-month.ts'
import { findChecked, forgetChecked, keepChecked, ownAdsHashSteps } from './checked-months.ts'
import { snapshotContent } from './finalized-chain.ts'
import { readCheckFacts, WHOLE_MONTH_READ } from './invariant-facts.ts'
import { violationSteps } from './month-invariants.ts'
import type { PreparedClose, SeenMonth } from './prepared-close.ts'

interface PrepareCloseDependencies {
  readonly database: Database
  readonly stats: StatsStore
}

/** Preparations in progress. Several requests that close the same month at the same time share one. */
const underWay = new WeakMap<Database, Map<string, Promise<PreparedClose>>>()
/** How long a preparation is kept whose request was aborted, so that the next request can use it. */
const KEPT_MS = 60_000

/**
 * Checks and hashes a month for its close. Once begun, the work is finished even when the request is aborted, because
 * the next request can use it. An aborted request begins none.
 */
export async function prepareClose(dependencies: PrepareCloseDependencies, key: MonthKey): Promise<PreparedClose> {
  stopIfAborted()
  const ofDatabase = underWay.get(dependencies.database) ?? new Map<string, Promise<PreparedClose>>()
  underWay.set(dependencies.database, ofDatabase)
  const name = `${key.mediumId}/${key.month}`
  const known = ofDatabase.get(name)
  if (known) return known.finally(() => ofDatabase.delete(name))
  const signal = currentSignal()
  const made = withSignal(undefined, () => prepare(dependencies, key))
  ofDatabase.set(name, made)
  const forget = () => void (ofDatabase.get(name) === made && ofDatabase.delete(name))
  made.then(({ link }) => (signal?.aborted && link ? setTimeout(forget, KEPT_MS).unref() : forget()), forget)
  return made
}

async function prepare(dependencies: PrepareCloseDependencies, key: MonthKey): Promise<PreparedClose> {
  const checked = await takeChecked(dependencies, key)
  if (checked) return checked
  forgetChecked(dependencies.database, key)
  return (await checkMonth(dependencies, key, 'close')).prepared
}

/** What an audit in this process has checked and hashed; undefined when anything of it has changed since. */
async function takeChecked(
  { database, stats }: PrepareCloseDependencies,
  key: MonthKey,
): Promise<PreparedClose | undefined> {
  const kept = findChecked(database, key)
  if (!kept) return undefined
  const { now, need } = await database.inScope(
    SYSTEM,
    async tx => {
      await joinWholeTables(tx)
      return { now: await readSeen(tx, key), need: await readStatisticsNeed(tx, key) }
    },
    WHOLE_MONTH_READ,
  )
  if (!isSameValue(now, kept.prepared.seen)) return undefined
  const ownAds = await readOwnAds(stats, key)
  if ((await runCooperatively(ownAdsHashSteps(ownAds))) !== kept.ownAdsHash) return undefined
  const [firstDay, missing, shown] = await Promise.all([
    readFirstDay(stats, key),
    missingDays(stats, key, need),
    // The estimate is what the reports show at the close, and more than own ads.
    kept.prepared.shown && readShownRevenue(stats, key),
  ])
  return { ...kept.prepared, firstDay, missingDays: missing.length, shown }
}

interface CheckedMonth {
  /** Found on the stored rows, also of a draft whose inputs have changed since. */
  readonly violations: readonly Violation[]
  /** Undefined when the month was never computed. */
  readonly dataVersion: string | null | undefined
  readonly prepared: PreparedClose
}

/**
 * Checks a month's invariants and hashes what a close would chain.
 * @param purpose `audit` keeps the result for a later close of the same rows; `close` also compares changed books with
 * the draft
 */
export async function checkMonth(
  { database, stats }: PrepareCloseDependencies,
  key: MonthKey,
  purpose: 'audit' | 'close',
): Promise<CheckedMonth> {
  const { read, reading } = await database.inScope(
    SYSTEM,
    async tx => {
      // The statistics are read in parallel, but not before the transaction's first query, which fixes its snapshot.
      const need = await readStatisticsNeed(tx, key)
      const reading = beside(
        Promise.all([readOwnAds(stats, key), readFirstDay(stats, key), missingDays(stats, key, need)]),
      )
      return { read: await readAll(tx, stats, key, purpose), reading }
    },
    WHOLE_MONTH_READ,
  )
  const [ownAds, firstDay, missing] = await reading
  const { facts, seen, isUnchanged } = read
  const draft = await draftState(key, read, ownAds)
  const stored = facts && (await runCooperatively(storedMonthSteps(facts.rows)))
  const isSound = draft.refusals.length === 0 && !draft.isDraftStale
  const violations =
    facts && stored && (isSound || purpose === 'audit')
      ? await runCooperatively(violationSteps(facts, stored, ownAds))
      : []
  const isLinked =
    stored && isSound && violations.length === 0 && !isFinalMonth(stored.state.state) && (isUnchanged || read.books)
  const link = isLinked ? await runCooperatively(linkSteps(stored, seen.hashBefore)) : undefined
  const prepared: PreparedClose = {
    key,
    ...draft,
    isStored: stored !== undefined,
    violations,
    missingDays: missing.length,
    firstDay,
    payments: stored?.settled.payments.filter(each => each.paymentYen > 0n).length ?? 0,
    link,
    shown: link && (await read.shown),
    earners: (stored?.snapshots ?? []).flatMap(({ agreementId, kept }) =>
      kept.days.map(([publisherId]) => ({ agreementId, publisherId })),
    ),
    seen,
  }
  if (purpose === 'audit' && isUnchanged && link) {
    keepChecked(database, { prepared, ownAdsHash: await runCooperatively(ownAdsHashSteps(ownAds)) })
  }
  return { violations, dataVersion: facts?.rows.state.dataVersion, prepared }
}

async function readAll(tx: Transaction, stats: StatsStore, key: MonthKey, purpose: 'audit' | 'close') {
  // A month without a kept estimate: read what the reports show now, so that the close can keep it.
  const shown = (await hasEstimate(tx, key)) ? undefined : beside(readShownRevenue(stats, key))
  const facts = await readCheckFacts(tx, key)
  const seen = await readSeen(tx, key)
  const isFinal = isFinalMonth(facts?.rows.state.state)
  // The draft was computed from these very books, so they need not be read and compared.
  const isUnchanged =
    isFinal || (facts?.isSameStatistics === true && facts.rows.state.booksVersion === seen.booksVersion)
  const books = isUnchanged || purpose === 'audit' ? undefined : await readMonthBooks(tx, key)
  return { facts, seen, shown, isUnchanged, books }
}

async function readSeen(tx: Transaction, key: MonthKey): Promise<SeenMonth> {
  const state = await tx
    .selectFrom('monthStates')
    .select(['state', 'inputSeq', 'inputHash', 'dataVersion'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  const { books: booksVersion, rows: rowsVersion } = await readVersions(tx, key)
  return {
    inputSeq: state?.inputSeq ?? 0n,
    inputHash: state?.inputHash ?? null,
    dataVersion: state?.dataVersion ?? null,
    booksVersion,
    rowsVersion,
    // A final month is not closed again, so this is not needed; computing it would read many earlier rows.
    aroundVersion: isFinalMonth(state?.state) ? '' : await readAroundVersion(tx, key),
    hashBefore: await readHashBefore(tx, key),
  }
}

/** The hash of the last finalised month of the medium before this one; null when there is none. */
export async function readHashBefore(tx: Transaction, { mediumId, month }: MonthKey): Promise<string | null> {
  const row = await tx
    .selectFrom('monthStates')
    .select('hash')
    .where('mediumId', '=', mediumId)
    .where('month', '<', month)
    .where('state', 'in', ['finalized', 'paid'])
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.hash ?? null
}

/** Whether the draft is outdated. Changed versions alone do not make it so: the inputs are joined again and hashed. */
async function draftState(
  key: MonthKey,
  { books, seen, facts }: { readonly books: MonthBooks | undefined; readonly seen: SeenMonth; readonly facts: unknown },
  ownAds: OwnAdsOfMonth,
): Promise<Pick<PreparedClose, 'refusals' | 'isDraftStale'>> {
  if (!books) return { refusals: [], isDraftStale: false }
  const loaded = await runCooperatively(joinSteps(key, books, ownAds))
  if (!loaded.ok) return { refusals: loaded.refusals, isDraftStale: false }
  return { refusals: [], isDraftStale: facts !== undefined && loaded.value.inputHash !== seen.inputHash }
}

function linkSteps(
  { key, state, settled, snapshots }: StoredMonth,
  hashBefore: string | null,
): CooperativeSteps<ChainLink> {
  const textOf = new Map(snapshots.map(snapshot => [snapshot.agreementId, snapshot.inputText]))
  return chainLinkSteps(
    { ...key, head: state.head },
    settled.payments.map(payment => ({
      agreementId: payment.agreementId,
      content: snapshotContent(textOf.get(payment.agreementId) ?? '', payment),
    })),
    hashBefore,
    sha256,
  )
}
