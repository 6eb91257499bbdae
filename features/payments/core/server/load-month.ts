import { createHash } from 'node:crypto'
import { isActiveIn, isTerminatedBy } from '@pc/domain/agreement/agreement-terms.ts'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { AdjustmentRow, AgreementInput, MonthInput, PoolJobInput } from '@pc/domain/settlement/settlement-input.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { BookedAgreement } from './month-agreements.ts'
import { type MonthBooks, readMonthBooks } from './month-books.ts'
import type { MonthKey } from './month-key.ts'
import { type KeptDays, type OwnAds, type OwnAdsOfMonth, readOwnAds } from './month-statistics.ts'

/** A month's frozen inputs, and the texts by which they are stored, hashed and compared. */
export interface LoadedMonth {
  readonly key: MonthKey
  readonly input: MonthInput
  readonly facts: ReadonlyMap<bigint, AgreementFacts>
  readonly dataVersion: string
  readonly inputSeq: bigint
  readonly booksVersion: string
  readonly needsTwoPersons: boolean
  /** By agreement id. */
  readonly inputTexts: ReadonlyMap<bigint, string>
  /** Equal for equal inputs, whatever the order of their rows. */
  readonly inputHash: string
}

export interface AgreementFacts {
  readonly name: string
  readonly code: string
  readonly payeeKind: BookedAgreement['payeeKind']
  readonly payeeResidence: BookedAgreement['payeeResidence']
  /** Null: nobody has looked the number up. */
  readonly isRegistered: boolean | null
}

/** What is kept of an agreement's input: enough to settle it again and to explain it to the day. */
export interface StoredInput {
  readonly agreement: AgreementInput
  readonly adjustments: readonly AdjustmentRow[]
  /** Own-ads source amounts of each day of the month by publisher, see {@link OwnAds}; empty without any. */
  readonly days: readonly (readonly [publisherId: bigint, days: KeptDays])[]
  readonly name: string
  readonly code: string
  /** Whether the payee is withheld from. Months that were stored before 2026-11 do not have it. */
  readonly payeeKind?: BookedAgreement['payeeKind']
  /** Absent: a resident. */
  readonly payeeResidence?: 'non_resident'
}

/** What is kept of the month itself. The pools' weights stay with their jobs. */
export interface KeptHead extends Pick<MonthInput, 'settings' | 'taxTable' | 'deductionTable' | 'holidays'> {
  readonly poolJobs: readonly (Omit<PoolJobInput, 'weights'> & { readonly weightsHash: string })[]
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Longer than the default, because reading a month of ten thousand agreements takes long on a busy machine. */
const LOAD_TIMEOUT_MS = 60_000

/**
 * Loads a month from one snapshot of the database. The statistics are at least as new as its `dataVersion`. It runs as
 * SYSTEM, because a month contains every organisation's agreements.
 */
export async function loadMonth(
  { database, stats }: { readonly database: Database; readonly stats: StatsStore },
  key: MonthKey,
): Promise<Result<LoadedMonth, CloseRefusal>> {
  const { books, reading } = await database.inScope(
    SYSTEM,
    async tx => {
      // The statistics are read in parallel and must not start before the snapshot: older ones would not fit the data
      // version that is read from it.
      const reading = beside(readOwnAds(stats, key))
      return { books: await readMonthBooks(tx, key), reading }
    },
    { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: LOAD_TIMEOUT_MS },
  )
  return runCooperatively(joinSteps(key, books, await reading))
}

/**
 * Work that runs while the caller awaits something else. If that fails first, a rejection of this work would be
 * unhandled and end the process, so it is marked as handled; who awaits the work still gets the error.
 */
export function beside<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/** Like {@link loadMonth}, in the caller's transaction, which compares the outcome with what was loaded before. */
export async function loadMonthAgain(
  tx: Transaction,
  stats: StatsStore,
  key: MonthKey,
): Promise<Result<LoadedMonth, CloseRefusal>> {
  const books = await readMonthBooks(tx, key)
  return runCooperatively(joinSteps(key, books, await readOwnAds(stats, key)))
}

/** Joins database and statistics into one input. Yields after each agreement. */
export function* joinSteps(
  key: MonthKey,
  books: MonthBooks,
  ownAds: OwnAdsOfMonth,
): CooperativeSteps<Result<LoadedMonth, CloseRefusal>> {
  const earners = earningAgreements(key, books.agreements)
  if (!earners.ok) return earners
  const corrected = Map.groupBy(books.adjustments, row => row.agreementId)
  const facts = new Map<bigint, AgreementFacts>()
  const inputTexts = new Map<bigint, string>()
  const agreements: AgreementInput[] = []
  for (const each of books.agreements) {
    const { name, code, payeeKind, payeeResidence, isRegistered, ...ofAgreement } = each
    const { earningPublisherIds: _e, foreignPublisherIds: _f, ...booked } = ofAgreement
    const days: [bigint, string][] = []
    const rules = booked.rules.map(rule => {
      const isEarner = earners.value.get(rule.publisherId) === booked.agreementId
      const ofRule = isEarner ? ownAds.get(rule.publisherId) : undefined
      if (!ofRule) return rule
      days.push([rule.publisherId, ofRule.days])
      return { ...rule, ownAdsMicroYen: ofRule.microYen }
    })
    const agreement: AgreementInput = { ...booked, rules }
    const adjustments = corrected.get(agreement.agreementId) ?? []
    if (isOver(key, agreement) && adjustments.length === 0) continue
    agreements.push(agreement)
    facts.set(agreement.agreementId, { name, code, payeeKind, payeeResidence, isRegistered })
    const abroad = payeeResidence === 'non_resident' ? { payeeResidence } : {}
    const kept: StoredInput = { agreement, adjustments, days, name, code, payeeKind, ...abroad }
    inputTexts.set(agreement.agreementId, canonicalText(kept))
    yield
  }
  const { settings, taxTable, deductionTable, holidays, poolJobs, adjustments } = books
  const input: MonthInput = {
    ...key,
    settings,
    taxTable,
    deductionTable,
    holidays,
    agreements,
    poolJobs,
    adjustments,
  }
  const hash = createHash('sha256').update(canonicalText(keptHead(input)))
  for (const text of inputTexts.values()) {
    hash.update(sha256(text))
    yield
  }
  return ok({
    key,
    input,
    facts,
    dataVersion: books.dataVersion,
    inputSeq: books.inputSeq,
    booksVersion: books.booksVersion,
    needsTwoPersons: books.needsTwoPersons,
    inputTexts,
    inputHash: hash.digest('hex'),
  })
}

/** The part of the input that is stored with the month itself. Weights of pools are replaced by their hash. */
export function keptHead(input: MonthInput): KeptHead {
  const { settings, taxTable, deductionTable, holidays } = input
  const poolJobs = input.poolJobs.map(({ weights, ...job }) => ({
    ...job,
    weightsHash: sha256(
      weights.map(({ agreementId, publisherId, weight }) => `${agreementId}/${publisherId}:${weight}`).join(','),
    ),
  }))
  return { settings, taxTable, deductionTable, holidays, poolJobs }
}

/** Whether the agreement ended before the month and has nothing left to pay; it then gets no row. */
function isOver({ month }: MonthKey, agreement: AgreementInput): boolean {
  if (isActiveIn(month, agreement.terminatedOn)) return false
  return agreement.rules.every(rule => rule.carried.length === 0 && rule.ownAdsMicroYen === 0n)
}

/**
 * The agreement that earns each publisher's own-ads revenue, by publisher id: the one of the medium that is active in the
 * month. When one ends in the month and its successor is active too, the successor earns it. Two agreements that do not
 * end are refused, because the same revenue would be paid twice.
 */
export function earningAgreements(
  { month }: MonthKey,
  agreements: readonly BookedAgreement[],
): Result<ReadonlyMap<bigint, bigint>, CloseRefusal> {
  // Nearly every publisher has one agreement; lists are made only for the others.
  const firstOf = new Map<bigint, BookedAgreement>()
  const contested = new Map<bigint, BookedAgreement[]>()
  for (const agreement of agreements) {
    for (const publisherId of agreement.earningPublisherIds) {
      const first = firstOf.get(publisherId)
      if (!first) firstOf.set(publisherId, agreement)
      else contested.set(publisherId, [...(contested.get(publisherId) ?? [first]), agreement])
    }
  }
  const earners = new Map<bigint, bigint>()
  const refusals: CloseRefusal[] = agreements
    .filter(({ terminatedOn }) => isActiveIn(month, terminatedOn))
    .flatMap(({ agreementId, foreignPublisherIds }) =>
      foreignPublisherIds.map(publisherId =>
        refusal('payment/publisher-of-other-organization', [], {
          publisherId: `${publisherId}`,
          agreementId: `${agreementId}`,
        }),
      ),
    )
  for (const [publisherId, first] of firstOf) {
    const list = contested.get(publisherId)
    if (!list) {
      earners.set(publisherId, first.agreementId)
      continue
    }
    const active = list.filter(each => isActiveIn(month, each.terminatedOn))
    const goingOn = active.filter(each => !isTerminatedBy(month, each.terminatedOn))
    const chosen = [goingOn, active, list].find(each => each.length > 0) ?? []
    if (chosen.length > 1 && chosen !== list) {
      const agreementIds = chosen.map(each => each.agreementId).join('、')
      refusals.push(refusal('payment/publisher-in-two-agreements', [], { publisherId: `${publisherId}`, agreementIds }))
    }
    // When all have ended, figures that still arrive are shown at the last one.
    const earner = chosen.at(-1)
    if (earner) earners.set(publisherId, earner.agreementId)
  }
  return refusals.length > 0 ? refused(...refusals) : ok(earners)
}
