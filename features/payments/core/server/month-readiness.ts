import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, lastDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import type { MonthKey } from './month-key.ts'
import { daysOf, readDaysWithStatistics, readFirstDays } from './month-statistics.ts'

export interface JobFacts {
  readonly id: bigint
  readonly kind: string
  readonly jobStatus: string
  readonly userUid: string | null
  /** A failed job that somebody has withdrawn. */
  readonly withdrawnAt: Date | null
  readonly reversedByDividendId: bigint | null
}

/** The manual operations of the month, in the order in which they were entered. */
export function readJobs(tx: Transaction, key: MonthKey): Promise<readonly JobFacts[]> {
  return tx
    .selectFrom('dividends')
    .select(['id', 'kind', 'jobStatus', 'userUid', 'withdrawnAt', 'reversedByDividendId'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('id')
    .execute()
}

/**
 * Failed jobs that are not withdrawn, and that neither a later success of the same kind nor a later reset has made good.
 * Tested by `features/payments/month-close/server/close-rules.test.ts`.
 */
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

/** Who made the entries of the month, and who computed it. Failed and reversed entries do not count. */
export function preparersOf(jobs: readonly JobFacts[], computedByUid: string | null): readonly string[] {
  const counted = jobs.filter(
    job => job.jobStatus === 'success' && job.kind !== 'reset' && job.reversedByDividendId === null,
  )
  const uids = [...counted.map(job => job.userUid), computedByUid].filter(uid => uid !== null)
  return [...new Set(uids)]
}

/** Who reset entries of other people. Corrections that the system made are booked again at once. */
export function removersOf(jobs: readonly JobFacts[]): readonly string[] {
  const resetBy = new Map(jobs.map(({ id, userUid }) => [id, userUid]))
  const uids = jobs.flatMap(({ userUid, reversedByDividendId }) => {
    const uid = reversedByDividendId === null ? null : (resetBy.get(reversedByDividendId) ?? null)
    return uid === null || userUid === null || uid === userUid ? [] : [uid]
  })
  return [...new Set(uids)]
}

/** When the medium had its first figures that are paid; undefined when it has never had any. */
export async function readFirstDay(stats: StatsStore, { mediumId }: MonthKey): Promise<Day | undefined> {
  return (await readFirstDays(stats)).get(mediumId)?.ofPublishers
}

/** What the payments of a month need of the statistics. */
export interface StatisticsNeed {
  /** An agreement in force pays a share of own ads. Their revenue comes with the dataset `summary-daily` only. */
  readonly sharesOwnAds: boolean
  /** Batches of events, which bring publishers' counts without revenue. */
  readonly eventBatches: readonly bigint[]
}

/**
 * Reads what the month needs. `h` is the rate in force in the month; the agreement must have terms by then and must not
 * have ended before.
 */
export async function readStatisticsNeed(tx: Transaction, { mediumId, month }: MonthKey): Promise<StatisticsNeed> {
  const { rows } = await sql<StatisticsNeed>`select exists (
      select from agreement_publisher_rules r
      join agreements a on a.id = r.agreement_id
      join lateral (select payment_rate from agreement_publisher_rule_history v
        where v.rule_id = r.id and v.valid_from_month <= ${month} order by v.valid_from_month desc limit 1) h on true
      where a.medium_id = ${mediumId} and h.payment_rate > 0
        and exists (select from agreement_terms_history t where t.agreement_id = a.id and t.valid_from_month <= ${month})
        and (a.terminated_at is null or a.terminated_at >= ${`${formatYearMonth(month)}-01`}::date)) as shares_own_ads,
    array(select batch_no from ingest_batches where dataset = 'events' and state = 'applied'
      and first_day <= ${lastDayOf(month)}::date and last_day >= ${`${formatYearMonth(month)}-01`}::date
      order by batch_no) as event_batches`.execute(tx)
  return rows[0]!
}

/**
 * Days without the publishers' figures from which payments are computed. A medium without agreements that share own ads
 * and without any such figures misses none. Figures of articles and videos do not replace them.
 */
export async function missingDays(
  stats: StatsStore,
  key: MonthKey,
  { sharesOwnAds, eventBatches }: StatisticsNeed,
): Promise<readonly string[]> {
  const first = (await readFirstDays(stats)).get(key.mediumId)
  if (!sharesOwnAds && first?.ofPublishers === undefined) return []
  const since = sharesOwnAds ? first?.ofAny : first?.ofPublishers
  const present = await readDaysWithStatistics(stats, key, sharesOwnAds ? eventBatches : [])
  return daysOf(key.month).filter(day => (since === undefined || day >= since) && !present.has(day))
}

/**
 * Whether the month before is closed, or the month is the first of the medium's books. They begin with the first month
 * that has figures or payments.
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

/**
 * `failed`: figures of the month are not in the store as the ledger says, until they are delivered again or abandoned.
 * Null: neither.
 */
export async function unfinishedIngest(tx: Transaction, month: YearMonth): Promise<'running' | 'failed' | null> {
  const { rows } = await sql<{
    hasFailed: boolean | null
  }>`select bool_or(state = 'failed' or refused_because <> '') as has_failed
    from ingest_batches where (state in ('applying', 'failed') or (state = 'applied' and refused_because <> ''))
    and (first_day is null or first_day <= ${lastDayOf(month)}::date)
    and (last_day is null or last_day >= ${`${formatYearMonth(month)}-01`}::date)`.execute(tx)
  const hasFailed = rows[0]?.hasFailed ?? null
  return hasFailed === null ? null : hasFailed ? 'failed' : 'running'
}
