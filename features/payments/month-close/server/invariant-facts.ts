import type { PayeeKind } from '@pc/domain/bank/registration-number.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { MonthOfMedium } from '@pc/domain/payment/books-invariants.ts'
import type { JobStatus, MonthState } from '@pc/domain/payment/payment-states.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import type { PaymentTotals } from '@pc/domain/payment/payment-totals.ts'
import type { BalanceBefore, OpeningBalance } from '@pc/domain/settlement/carry-invariants.ts'
import type { Residence, WithheldPayee } from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { readDataVersion } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readCountedOpenings, readOpeningSums } from '../../core/server/month-opening-balances.ts'
import { joinWholeTables, readBooksVersion } from '../../core/server/month-version.ts'
import { paymentTotalsOf } from '../../core/server/payment-totals-query.ts'
import { type MonthRows, readMonthRows } from '../../core/server/stored-rows.ts'
import { readLink, type StoredLink } from './finalized-chain.ts'
import { type Outputs, readOutputs } from './transfer-invariants.ts'

type FrozenPayee = Pick<WithheldPayee, 'payeeKind' | 'payeeResidence'>

/** What the invariants of a month are checked against: its own rows and the other rows that must agree with them. */
export interface CheckFacts {
  readonly rows: MonthRows
  readonly before: readonly BalanceBefore[] | null
  /** The opening balances on record; null while the draft may have been computed from earlier ones. */
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

/** For transactions that read a whole month from one snapshot; the time allows for tens of thousands of rows. */
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

/** Null for a draft whose books have changed since: it will be computed again, so a difference would not be a violation. */
async function readOpenings(
  tx: Transaction,
  key: MonthKey,
  { state, booksVersion }: MonthRows['state'],
): Promise<CheckFacts['openings']> {
  const isCurrent = isFinalMonth(state) || booksVersion === (await readBooksVersion(tx, key))
  return isCurrent ? { counted: await readCountedOpenings(tx, key), sums: await readOpeningSums(tx, key) } : null
}

/** What the month before left over: empty for the first month; null while the month before is not final. */
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
  if (!state || !isFinalMonth(state.state)) return null
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

/** The payees as the month knows them: frozen ones for a final month, those of the agreements for a draft. */
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

/** The ledger lines of every job that was reversed or booked more than once; no other job can break I15. */
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

/** For I18: all months of the medium that were ever computed. */
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
