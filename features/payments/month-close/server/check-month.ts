import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import {
  chainViolations,
  closingViolations,
  exposureViolations,
  type MonthOfMedium,
  ownAdsViolations,
  recomputationSteps,
  resetViolations,
  totalsViolations,
} from '@pc/domain/payment/ledger-invariants.ts'
import type { JobKind, LedgerEntry } from '@pc/domain/payment/manual-operation.ts'
import type { JobStatus, MonthState } from '@pc/domain/payment/payment-states.ts'
import type { PaymentTotals } from '@pc/domain/payment/payment-totals.ts'
import {
  type BalanceBefore,
  conservationViolations,
  type OpeningBalance,
} from '@pc/domain/settlement/carry-invariants.ts'
import { registrationViolations, settlementSteps } from '@pc/domain/settlement/settlement-invariants.ts'
import { publisherRowOf, type Violation, ViolationList } from '@pc/domain/settlement/violation.ts'
import type { Residence, WithheldPayee } from '@pc/domain/transfer/withholding.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { readDataVersion } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readCountedOpenings, readOpeningSums } from '../../core/server/month-opening-balances.ts'
import { daysOf, type OwnAdsOfMonth, ownAdsOfDays, readOwnAds } from '../../core/server/month-statistics.ts'
import { joinWholeTables, readBooksVersion } from '../../core/server/month-version.ts'
import { paymentTotalsOf } from '../../core/server/payment-totals-query.ts'
import { type StoredMonth, storedMonthSteps } from '../../core/server/stored-month.ts'
import { type MonthRows, readMonthRows } from '../../core/server/stored-rows.ts'
import { type Outputs, outputViolations, readOutputs } from './check-transfers.ts'
import { linkBreakSteps, readLink, type StoredLink } from './finalized-chain.ts'

/** What a month is checked by: its own rows, and what else of the database has to fit them. */
type FrozenPayee = Pick<WithheldPayee, 'payeeKind' | 'payeeResidence'>

export interface CheckFacts {
  readonly rows: MonthRows
  readonly before: readonly BalanceBefore[] | null
  /** As they are on record; null while the draft may be of others. */
  readonly openings: { readonly counted: readonly OpeningBalance[]; readonly sums: ReadonlyMap<bigint, bigint> } | null
  readonly history: Awaited<ReturnType<typeof readHistory>>
  readonly payees: ReadonlyMap<bigint, FrozenPayee>
  readonly ledger: Awaited<ReturnType<typeof readLedger>>
  readonly months: readonly MonthOfMedium[]
  readonly totals: PaymentTotals
  readonly isSameStatistics: boolean
  readonly exposed: Awaited<ReturnType<typeof readExposed>>
  readonly outputs: Outputs
  readonly link: StoredLink | undefined
}

/**
 * The books' own check of a computed or finalised month: the invariants of payments rules, section 2.6, on the rows as
 * they are stored, whoever wrote them. Empty when everything holds; a month that was never computed has nothing to check.
 * The rows are of one state of the database, and no transaction waits while they are checked.
 */
export async function monthViolations(
  { database, stats }: { readonly database: Database; readonly stats: StatsStore },
  key: MonthKey,
): Promise<readonly Violation[]> {
  const facts = await database.inScope(SYSTEM, tx => readCheckFacts(tx, key), WHOLE_MONTH_READ)
  if (!facts) return []
  return runCooperatively(checkSteps(facts, await readOwnAds(stats, key)))
}

/** One state of the database, and time for rows by the ten thousand. */
export const WHOLE_MONTH_READ = { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 120_000 } as const

/** Undefined when the month was never computed. */
export async function readCheckFacts(tx: Transaction, key: MonthKey): Promise<CheckFacts | undefined> {
  await joinWholeTables(tx)
  const rows = await readMonthRows(tx, key)
  if (!rows) return undefined
  return {
    rows,
    before: await readBalancesBefore(tx, key),
    openings: await readOpenings(tx, key, rows.state),
    history: await readHistory(tx, key),
    payees: await readPayees(tx, key),
    ledger: await readLedger(tx, key),
    months: await readMonthsOfMedium(tx, key.mediumId),
    totals: await paymentTotalsOf(tx, sql<boolean>`p.medium_id = ${key.mediumId} and p.month = ${key.month}`),
    isSameStatistics: rows.state.dataVersion === (await readDataVersion(tx, key.month)),
    exposed: await readExposed(tx, key),
    outputs: await readOutputs(tx, key),
    link: await readLink(tx, key),
  }
}

/** The rows put together and checked; nothing is read any more. */
export function* checkSteps(facts: CheckFacts, ownAds: OwnAdsOfMonth): CooperativeSteps<readonly Violation[]> {
  return yield* violationSteps(facts, yield* storedMonthSteps(facts.rows), ownAds)
}

/** The same facts give the same violations. */
export function* violationSteps(
  facts: CheckFacts,
  stored: StoredMonth,
  ownAds: OwnAdsOfMonth,
): CooperativeSteps<readonly Violation[]> {
  const { input, settled } = stored
  const found = [
    ...(yield* settlementSteps(settled, input, facts.before && { payments: facts.before }, facts.openings?.counted)),
    ...(yield* recomputationSteps(input, settled)),
  ]
  for (const check of [
    // I5 over all months of each agreement.
    () =>
      [...Map.groupBy(facts.history, row => row.agreementId)].flatMap(([agreementId, history]) =>
        conservationViolations(history, facts.openings && (facts.openings.sums.get(agreementId) ?? 0n)),
      ),
    () => registerViolations(stored, facts.payees),
    () => payeeViolations(stored, facts.payees),
    () => ledgerViolations(facts.ledger),
    () => closingViolations(facts.months),
    // I21: the totals that lists show are those of the rows.
    () => totalsViolations(facts.totals, settled.payments),
    () => visibilityViolations(stored, facts.exposed),
    () => outputViolations(facts.outputs, stored.key, stored),
  ]) {
    found.push(...check())
    yield
  }
  found.push(...(yield* statisticsSteps(stored, facts.isSameStatistics ? ownAds : undefined)))
  if (facts.link) found.push(...chainViolations(yield* linkBreakSteps(facts.link, stored)))
  return found
}

function isFinal(state: string): boolean {
  return state === 'finalized' || state === 'paid'
}

/** Null for a draft whose books were touched since: it will be computed again, and says nothing of what is on record now. */
async function readOpenings(
  tx: Transaction,
  key: MonthKey,
  { state, booksVersion }: MonthRows['state'],
): Promise<CheckFacts['openings']> {
  const isCurrent = isFinal(state) || booksVersion === (await readBooksVersion(tx, key))
  return isCurrent ? { counted: await readCountedOpenings(tx, key), sums: await readOpeningSums(tx, key) } : null
}

/** What the month before left over: nothing before the first one; null while it is not final. */
async function readBalancesBefore(tx: Transaction, key: MonthKey): Promise<readonly BalanceBefore[] | null> {
  const earlier = await tx
    .selectFrom('monthlyPayments')
    .select('month')
    .where('mediumId', '=', key.mediumId)
    .where('month', '<', key.month)
    .limit(1)
    .executeTakeFirst()
  if (!earlier) return []
  const month = addMonths(key.month, -1)
  const state = await tx
    .selectFrom('monthStates')
    .select('state')
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', month)
    .executeTakeFirst()
  if (!state || !isFinal(state.state)) return null
  const payments = await tx
    .selectFrom('monthlyPayments')
    .select(['agreementId', 'cumulativeRevenueYen', 'paymentYen', 'carriedOverToNextYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', month)
    .execute()
  const publishers = await tx
    .selectFrom('monthlyPublisherPayments')
    .select(['id', 'agreementId', 'publisherId', 'cumulativeRevenueYen', 'paymentYen', 'carriedOverToNextYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', month)
    .execute()
  const buckets = await tx
    .selectFrom('monthlyCarriedBuckets')
    .select(['monthlyPublisherPaymentId', 'generatedMonth', 'nextYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', month)
    .where('nextYen', '<>', 0n)
    .execute()
  const carried = Map.groupBy(buckets, row => row.monthlyPublisherPaymentId)
  const withMonths = publishers.map(({ id, ...row }) => ({
    ...row,
    nextCarried: (carried.get(id) ?? []).map(({ generatedMonth, nextYen }) => ({
      generatedMonth: generatedMonth as YearMonth,
      amountYen: nextYen,
    })),
  }))
  const byAgreement = Map.groupBy(withMonths, row => row.agreementId)
  return payments.map(row => ({ ...row, publishers: byAgreement.get(row.agreementId) ?? [] }))
}

function readHistory(tx: Transaction, { mediumId, month }: MonthKey) {
  return tx
    .selectFrom('monthlyPayments')
    .select(['agreementId', 'revenueYen', 'manualAdjustmentRevenueYen', 'carriedOverRevenueYen', 'paymentYen'])
    .select('carriedOverToNextYen')
    .where('mediumId', '=', mediumId)
    .where('month', '<=', month)
    .orderBy('agreementId')
    .orderBy('month')
    .execute()
}

/** The frozen ones of a final month; a draft's are those of the agreements. */
async function readPayees(tx: Transaction, { mediumId, month }: MonthKey): Promise<CheckFacts['payees']> {
  const rows = await tx
    .selectFrom('monthlyAgreementSnapshots as s')
    .innerJoin('agreements as a', 'a.id', 's.agreementId')
    .select(['s.agreementId', 's.hasBeenFinalized', 's.payeeKind as frozen', 'a.payeeKind as current'])
    .select(['s.payeeResidence as frozenResidence', 'a.payeeResidence as currentResidence'])
    .where('s.mediumId', '=', mediumId)
    .where('s.month', '=', month)
    .execute()
  return new Map(
    rows.map((row): [bigint, FrozenPayee] => {
      const [payeeKind, payeeResidence] = row.hasBeenFinalized
        ? [row.frozen, row.frozenResidence]
        : [row.current, row.currentResidence]
      return [row.agreementId, { payeeKind: payeeKind as PayeeKind, payeeResidence: payeeResidence as Residence }]
    }),
  )
}

/** I17: how a payee is withheld from stays as the hash of the final month has it, where it has it. */
function payeeViolations({ state, snapshots }: StoredMonth, payees: CheckFacts['payees']): readonly Violation[] {
  const list = new ViolationList()
  if (!isFinal(state.state)) return []
  for (const { agreementId, kept } of snapshots) {
    const payee = payees.get(agreementId)
    const isKept =
      kept.payeeKind === undefined ||
      (kept.payeeKind === payee?.payeeKind && (kept.payeeResidence ?? 'resident') === payee.payeeResidence)
    list.expect('I17', `契約 ${agreementId}`, isKept, '源泉徴収の区分が、確定した時の記録と一致しません。')
  }
  return list.violations
}

/** I24, registrations: what the register said of the last day of the month is part of the frozen input. */
function registerViolations(
  { key, settled, snapshots }: StoredMonth,
  payees: CheckFacts['payees'],
): readonly Violation[] {
  const registered = new Set(
    snapshots.flatMap(({ agreementId, kept }) =>
      kept.agreement.qualifiedMonths.includes(key.month) ? [agreementId] : [],
    ),
  )
  return settled.payments.flatMap(payment =>
    registrationViolations(
      payment,
      payees.get(payment.agreementId)?.payeeKind ?? 'company',
      registered.has(payment.agreementId),
    ),
  )
}

/** The lines of every job that was turned back, or booked more than once. */
async function readLedger(tx: Transaction, { mediumId, month }: MonthKey) {
  const touched = await tx
    .selectFrom('dividendLedgerLines')
    .select('reversesDividendId')
    .distinct()
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .where('reversesDividendId', 'is not', null)
    .execute()
  const reset = await tx
    .selectFrom('dividends')
    .select('id')
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .where(eb => eb.or([eb('reversedByDividendId', 'is not', null), eb('booking', '>', 1)]))
    .execute()
  const ids = [...new Set([...touched.map(row => row.reversesDividendId!), ...reset.map(row => row.id)])]
  if (ids.length === 0) return { lines: [], jobs: [] }
  const lines = await tx
    .selectFrom('dividendLedgerLines')
    .selectAll()
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .where(eb => eb.or([eb('dividendId', 'in', ids), eb('reversesDividendId', 'in', ids)]))
    .execute()
  const jobs = await tx
    .selectFrom('dividends')
    .select(['id', 'booking', 'reversedByDividendId'])
    .where('id', 'in', ids)
    .execute()
  return { lines, jobs }
}

/** I15: what was reset is as if it had never run. Each booking of a job counts as a job of its own. */
function ledgerViolations({ lines, jobs }: CheckFacts['ledger']): readonly Violation[] {
  const bookingKey = (dividendId: bigint, booking: number) => dividendId * 1_000n + BigInt(booking)
  const entries = lines.map(
    (line): LedgerEntry => ({
      jobId: line.reversesDividendId === null ? bookingKey(line.dividendId, line.booking) : line.dividendId,
      kind: line.kind as Exclude<JobKind, 'reset'>,
      method: line.method as LedgerEntry['method'],
      agreementId: line.agreementId,
      publisherId: line.publisherId,
      line: line.line,
      allocatedYen: line.allocatedYen,
      amountYen: line.amountYen,
      reversesJobId: line.reversesDividendId === null ? null : bookingKey(line.reversesDividendId, line.booking),
    }),
  )
  const reversed = jobs.flatMap(job =>
    Array.from({ length: job.booking }, (_, index) => index + 1)
      .filter(booking => job.reversedByDividendId !== null || booking < job.booking)
      .map(booking => bookingKey(job.id, booking)),
  )
  return resetViolations(entries, reversed)
}

/** I18 looks at all months of the medium that were ever computed; the others are not of the books. */
async function readMonthsOfMedium(tx: Transaction, mediumId: bigint): Promise<readonly MonthOfMedium[]> {
  const months = await tx
    .selectFrom('monthStates')
    .select(['month', 'state'])
    .where('mediumId', '=', mediumId)
    .where('head', 'is not', null)
    .orderBy('month')
    .execute()
  const jobs = await tx
    .selectFrom('dividends')
    .select(['month', 'jobStatus'])
    .where('mediumId', '=', mediumId)
    .where('jobStatus', 'in', ['pending', 'running'])
    .execute()
  return months.map(({ month, state }) => ({
    mediumId,
    month: month as YearMonth,
    state: state as MonthState,
    jobStatuses: jobs.filter(job => job.month === month).map(job => job.jobStatus as JobStatus),
  }))
}

/** I22: the days that were kept are those that were used, and still those of the statistics while they are the same. */
function* statisticsSteps(
  { key, snapshots, settled }: StoredMonth,
  current: OwnAdsOfMonth | undefined,
): CooperativeSteps<readonly Violation[]> {
  const days = daysOf(key.month)
  const kept = new Map(snapshots.map(snapshot => [snapshot.agreementId, snapshot.kept.days]))
  const found: Violation[] = []
  for (const payment of settled.payments) {
    const ofAgreement = new Map(kept.get(payment.agreementId))
    for (const publisher of payment.publishers) {
      const used = ofAgreement.get(publisher.publisherId)
      const now = current?.get(publisher.publisherId)
      // The same text of days has the same sum; nothing more has to be looked at.
      if (used !== undefined && now?.days === used && now.microYen === publisher.ownAdsMicroYen) continue
      const row = publisherRowOf(payment, publisher)
      if (used === undefined) {
        found.push(...ownAdsViolations(row, publisher.ownAdsMicroYen, []))
        continue
      }
      const ofDays = now ? ownAdsOfDays(now.days) : undefined
      const compared = ownAdsOfDays(used).map((amountMicroYen, index) => ({
        day: days[index]!,
        amountMicroYen,
        articlesMicroYen: ofDays?.[index] ?? (current ? 0n : amountMicroYen),
        restMicroYen: 0n,
      }))
      found.push(...ownAdsViolations(row, publisher.ownAdsMicroYen, compared))
    }
    yield
  }
  return found
}

async function readExposed(tx: Transaction, key: MonthKey) {
  const { rows } = await sql<{ agreementId: bigint; organizationId: bigint; hasBeenFinalized: boolean }>`
    select agreement_id, organization_id, has_been_finalized from monthly_payments
      where medium_id = ${key.mediumId} and month = ${key.month}
    union select agreement_id, organization_id, has_been_finalized from monthly_publisher_payments
      where medium_id = ${key.mediumId} and month = ${key.month}
    union select agreement_id, organization_id, has_been_finalized from monthly_agreement_snapshots
      where medium_id = ${key.mediumId} and month = ${key.month}
    union select agreement_id, organization_id, has_been_finalized from monthly_rule_snapshots
      where medium_id = ${key.mediumId} and month = ${key.month}`.execute(tx)
  return rows
}

/** I24, the rows that a publisher sees: its own, and only of finalised months. */
function visibilityViolations({ state, snapshots }: StoredMonth, rows: CheckFacts['exposed']): readonly Violation[] {
  const ownerOf = new Map(snapshots.map(({ agreementId, kept }) => [agreementId, kept.agreement.organizationId]))
  return rows.flatMap(row => {
    const isVisible = row.hasBeenFinalized
    const facts = { ...row, hasBeenFinalized: !isVisible || isFinal(state.state) }
    return exposureViolations(ownerOf.get(row.agreementId) ?? -1n, [facts])
  })
}
