import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import {
  chainViolations,
  closingViolations,
  exposureViolations,
  ownAdsViolations,
  recomputationSteps,
  resetViolations,
  totalsViolations,
} from '@pc/domain/payment/books-invariants.ts'
import type { JobKind, LedgerEntry } from '@pc/domain/payment/manual-operation.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import { conservationViolations } from '@pc/domain/settlement/carry-invariants.ts'
import { registrationViolations, settlementSteps } from '@pc/domain/settlement/settlement-invariants.ts'
import { publisherRowOf, type Violation, ViolationList } from '@pc/domain/settlement/violation.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { daysOf, type OwnAdsOfMonth, ownAdsOfDays, readOwnAds } from '../../core/server/month-statistics.ts'
import { type StoredMonth, storedMonthSteps } from '../../core/server/stored-month.ts'
import { linkBreakSteps } from './finalized-chain.ts'
import { type CheckFacts, readCheckFacts, WHOLE_MONTH_READ } from './invariant-facts.ts'
import { outputSteps } from './transfer-invariants.ts'

/**
 * Checks the invariants of a computed or finalised month on its stored rows. Empty when all hold, also for a month that
 * was never computed. The rows come from one snapshot of the database, and no transaction is open while they are checked.
 * Tested by `scenarios/corrupted-books.test.ts`.
 * @internal Tests call it.
 */
export async function monthViolations(
  { database, stats }: { readonly database: Database; readonly stats: StatsStore },
  key: MonthKey,
): Promise<readonly Violation[]> {
  const facts = await database.inScope(SYSTEM, tx => readCheckFacts(tx, key), WHOLE_MONTH_READ)
  if (!facts) return []
  const ownAds = await readOwnAds(stats, key)
  const stored = await runCooperatively(storedMonthSteps(facts.rows))
  return runCooperatively(violationSteps(facts, stored, ownAds))
}

/** The violations of a month; a pure function of its arguments. */
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
  ]) {
    found.push(...check())
    yield
  }
  found.push(...(yield* outputSteps(facts.outputs, stored.key, stored)))
  found.push(...(yield* statisticsSteps(stored, facts.isSameStatistics ? ownAds : undefined)))
  if (facts.link) found.push(...chainViolations(yield* linkBreakSteps(facts.link, stored)))
  return found
}

/** I17: the payee's kind and residence, which decide withholding, are those that were hashed with the final month. */
function payeeViolations({ state, snapshots }: StoredMonth, payees: CheckFacts['payees']): readonly Violation[] {
  const list = new ViolationList()
  if (!isFinalMonth(state.state)) return []
  for (const { agreementId, kept } of snapshots) {
    const payee = payees.get(agreementId)
    const isKept =
      kept.payeeKind === undefined ||
      (kept.payeeKind === payee?.payeeKind && (kept.payeeResidence ?? 'resident') === payee.payeeResidence)
    list.expect('I17', `契約 ${agreementId}`, isKept, '源泉徴収の区分が、確定した時の記録と一致しません。')
  }
  return list.violations
}

/** I24 for registrations, by what the register said of the last day of the month, which is part of the frozen input. */
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

/** I15: a reversed booking leaves nothing in the ledger. Each booking of a job is checked like a job of its own. */
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

/**
 * I22: the stored days sum to the own ads that were settled, and equal the statistics as long as their version is the
 * same.
 * @param current undefined: the statistics have another version
 */
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
      // The same text of days has the same sum, so nothing more needs to be compared.
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

/** I24 for visibility: publishers see only their own rows, and only of finalised months. */
function visibilityViolations({ state, snapshots }: StoredMonth, rows: CheckFacts['exposed']): readonly Violation[] {
  const ownerOf = new Map(snapshots.map(({ agreementId, kept }) => [agreementId, kept.agreement.organizationId]))
  return rows.flatMap(row => {
    const isVisible = row.hasBeenFinalized
    const facts = { ...row, hasBeenFinalized: !isVisible || isFinalMonth(state.state) }
    return exposureViolations(ownerOf.get(row.agreementId) ?? -1n, [facts])
  })
}
