import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, lastDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import type { MonthKey } from './month-key.ts'
import { daysOf, readDaysWithStatistics, readFirstMonths } from './month-statistics.ts'

export interface JobFacts {
  readonly id: bigint
  readonly kind: string
  readonly jobStatus: string
  readonly userUid: string | null
  /** A failed job that somebody has taken back by itself. */
  readonly withdrawnAt: Date | null
  readonly reversedByDividendId: bigint | null
}

export function readJobs(tx: Transaction, key: MonthKey): Promise<readonly JobFacts[]> {
  return tx
    .selectFrom('dividends')
    .select(['id', 'kind', 'jobStatus', 'userUid', 'withdrawnAt', 'reversedByDividendId'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('id')
    .execute()
}

/** Failed jobs that are not withdrawn, and that neither a later success of the same kind nor a later reset has made good. */
export function unresolvedFailures(jobs: readonly JobFacts[]): readonly JobFacts[] {
  return jobs.filter(
    (job, index) =>
      job.jobStatus === 'failed' &&
      job.withdrawnAt === null &&
      !jobs
        .slice(index + 1)
        .some(later => later.jobStatus === 'success' && (later.kind === job.kind || later.kind === 'reset')),
  )
}

/** Whose entries the month consists of, and who computed it. What failed or was turned back makes nobody a second person. */
export function preparersOf(jobs: readonly JobFacts[], computedByUid: string | null): readonly string[] {
  const counted = jobs.filter(
    job => job.jobStatus === 'success' && job.kind !== 'reset' && job.reversedByDividendId === null,
  )
  const uids = [...counted.map(job => job.userUid), computedByUid].filter(uid => uid !== null)
  return [...new Set(uids)]
}

/** When the medium had its first figures; undefined when it has never had any. */
export async function readFirstDay(stats: StatsStore, { mediumId }: MonthKey): Promise<Day | undefined> {
  return (await readFirstMonths(stats)).get(mediumId)
}

/** Days without figures; none for a medium that has never had any. */
export async function missingDays(stats: StatsStore, key: MonthKey): Promise<readonly string[]> {
  const first = await readFirstDay(stats, key)
  if (first === undefined) return []
  const present = await readDaysWithStatistics(stats, key)
  return daysOf(key.month).filter(day => day >= first && !present.has(day))
}

/**
 * The books begin with the first month that has figures or rows; every later month needs the one before it.
 * @param firstDay when the medium had its first figures
 */
export async function isPreviousMonthFinalized(
  tx: Transaction,
  key: MonthKey,
  firstDay: Day | undefined,
): Promise<boolean> {
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
  return firstDay === undefined || monthOfDay(firstDay) >= key.month
}

export async function isIngestRunning(tx: Transaction, month: YearMonth): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`select 1 as found from ingest_batches where state = 'applying'
    and (first_day is null or first_day <= ${lastDayOf(month)}::date) and (last_day is null or last_day >= ${`${formatYearMonth(month)}-01`}::date)
    limit 1`.execute(tx)
  return rows.length > 0
}
