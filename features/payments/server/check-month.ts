import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { addMonths } from '@pc/domain/month/year-month.ts'
import type { JobKind, LedgerEntry } from '@pc/domain/payment/dividend-job.ts'
import {
  chainViolations,
  closingViolations,
  exposureViolations,
  ownAdsViolations,
  recomputationViolations,
  resetViolations,
  totalsViolations,
} from '@pc/domain/payment/ledger-invariants.ts'
import type { JobStatus, MonthState } from '@pc/domain/payment/payment-states.ts'
import {
  conservationViolations,
  registrationViolations,
  settlementViolations,
} from '@pc/domain/payment/settlement-invariants.ts'
import { publisherRowOf, type Violation } from '@pc/domain/payment/violation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { outputViolations } from './check-transfers.ts'
import { verifyMediumChain } from './finalized-chain.ts'
import { readDataVersion } from './month-books.ts'
import type { MonthKey } from './month-key.ts'
import { daysOf, readOwnAds } from './month-statistics.ts'
import { paymentTotalsOf } from './payment-totals-query.ts'
import { readStoredMonth, type StoredMonth } from './stored-month.ts'

/**
 * The books' own check of a computed or finalised month: the invariants of payments rules, section 2.6, on the rows as
 * they are stored, whoever wrote them. Empty when everything holds; a month that was never computed has nothing to check.
 */
export async function monthViolations(
  tx: Transaction,
  stats: StatsStore,
  key: MonthKey,
): Promise<readonly Violation[]> {
  const stored = await readStoredMonth(tx, key)
  return stored ? storedViolations(tx, stats, stored) : []
}

export async function storedViolations(
  tx: Transaction,
  stats: StatsStore,
  stored: StoredMonth,
): Promise<readonly Violation[]> {
  const { key, input, settled } = stored
  const previous = { ...key, month: addMonths(key.month, -1) }
  const before = await readStoredMonth(tx, previous)
  const isBeforeFinal = before !== undefined && isFinal(before.state.state)
  return [
    ...settlementViolations(settled, input, isBeforeFinal ? before.settled : null),
    ...recomputationViolations(input, settled),
    ...(await historyViolations(tx, key)),
    ...(await registerViolations(tx, stored)),
    ...(await ledgerViolations(tx, key)),
    ...(await orderViolations(tx, key.mediumId)),
    ...(await sumViolations(tx, stored)),
    ...(await statisticsViolations(tx, stats, stored)),
    ...(await visibilityViolations(tx, stored)),
    ...(await outputViolations(tx, key, settled)),
    ...(isFinal(stored.state.state) ? chainViolations(await verifyMediumChain(tx, key.mediumId, key.month)) : []),
  ]
}

function isFinal(state: string): boolean {
  return state === 'finalized' || state === 'paid'
}

/** I5 over all months of each agreement. */
async function historyViolations(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly Violation[]> {
  const rows = await tx
    .selectFrom('monthlyPayments')
    .select(['agreementId', 'revenueYen', 'manualAdjustmentRevenueYen', 'carriedOverRevenueYen', 'paymentYen'])
    .select('carriedOverToNextYen')
    .where('mediumId', '=', mediumId)
    .where('month', '<=', month)
    .orderBy('agreementId')
    .orderBy('month')
    .execute()
  return [...Map.groupBy(rows, row => row.agreementId).values()].flatMap(conservationViolations)
}

/** I24, registrations. */
async function registerViolations(tx: Transaction, { key, settled }: StoredMonth): Promise<readonly Violation[]> {
  const kinds = await tx
    .selectFrom('agreements')
    .select(['id', 'payeeKind'])
    .where('mediumId', '=', key.mediumId)
    .execute()
  const kindOf = new Map(kinds.map(row => [row.id, row.payeeKind as 'company' | 'individual']))
  return settled.payments.flatMap(payment =>
    registrationViolations(payment, kindOf.get(payment.agreementId) ?? 'company', payment.qualifiedInvoiceIssuer),
  )
}

/** I15: what was reset is as if it had never run. Each booking of a job counts as a job of its own. */
async function ledgerViolations(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly Violation[]> {
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
  if (ids.length === 0) return []
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

/** I18 over all months of the medium. */
async function orderViolations(tx: Transaction, mediumId: bigint): Promise<readonly Violation[]> {
  const months = await tx
    .selectFrom('monthStates')
    .select(['month', 'state'])
    .where('mediumId', '=', mediumId)
    .orderBy('month')
    .execute()
  const jobs = await tx
    .selectFrom('dividends')
    .select(['month', 'jobStatus'])
    .where('mediumId', '=', mediumId)
    .where('jobStatus', 'in', ['pending', 'running'])
    .execute()
  return closingViolations(
    months.map(({ month, state }) => ({
      mediumId,
      month: month as YearMonth,
      state: state as MonthState,
      jobStatuses: jobs.filter(job => job.month === month).map(job => job.jobStatus as JobStatus),
    })),
  )
}

/** I21: the totals that lists show are those of the rows. */
async function sumViolations(tx: Transaction, { key, settled }: StoredMonth): Promise<readonly Violation[]> {
  const totals = await paymentTotalsOf(tx, sql<boolean>`p.medium_id = ${key.mediumId} and p.month = ${key.month}`)
  return totalsViolations(totals, settled.payments)
}

/** I22: the days that were kept are those that were used, and still those of the statistics while they are the same. */
async function statisticsViolations(
  tx: Transaction,
  stats: StatsStore,
  { key, state, snapshots, settled }: StoredMonth,
): Promise<readonly Violation[]> {
  const isSameStatistics = state.dataVersion === (await readDataVersion(tx, key.month))
  const current = isSameStatistics ? await readOwnAds(stats, key) : undefined
  const days = daysOf(key.month)
  const kept = new Map(snapshots.map(snapshot => [snapshot.agreementId, new Map(snapshot.kept.days)]))
  return settled.payments.flatMap(payment =>
    payment.publishers.flatMap(publisher => {
      const used = kept.get(payment.agreementId)?.get(publisher.publisherId)
      if (!used) return ownAdsViolations(publisherRowOf(payment, publisher), publisher.ownAdsMicroYen, [])
      const now = current?.get(publisher.publisherId)
      return ownAdsViolations(
        publisherRowOf(payment, publisher),
        publisher.ownAdsMicroYen,
        used.map((amountMicroYen, index) => ({
          day: days[index]!,
          amountMicroYen,
          articlesMicroYen: now?.[index] ?? (current ? 0n : amountMicroYen),
          restMicroYen: 0n,
        })),
      )
    }),
  )
}

/** I24, the rows that a publisher sees: its own, and only of finalised months. */
async function visibilityViolations(
  tx: Transaction,
  { key, state, snapshots }: StoredMonth,
): Promise<readonly Violation[]> {
  const { rows } = await sql<{ agreementId: bigint; organizationId: bigint; hasBeenFinalized: boolean }>`
    select agreement_id, organization_id, has_been_finalized from monthly_payments
      where medium_id = ${key.mediumId} and month = ${key.month}
    union select agreement_id, organization_id, has_been_finalized from monthly_publisher_payments
      where medium_id = ${key.mediumId} and month = ${key.month}
    union select agreement_id, organization_id, has_been_finalized from monthly_agreement_snapshots
      where medium_id = ${key.mediumId} and month = ${key.month}
    union select agreement_id, organization_id, has_been_finalized from monthly_rule_snapshots
      where medium_id = ${key.mediumId} and month = ${key.month}`.execute(tx)
  const ownerOf = new Map(snapshots.map(({ agreementId, kept }) => [agreementId, kept.agreement.organizationId]))
  return rows.flatMap(row => {
    const isVisible = row.hasBeenFinalized
    const facts = { ...row, hasBeenFinalized: !isVisible || isFinal(state.state) }
    return exposureViolations(ownerOf.get(row.agreementId) ?? -1n, [facts])
  })
}
