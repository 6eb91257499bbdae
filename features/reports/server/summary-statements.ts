import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { firstDayOf } from '@pc/domain/month/year-month.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { splitByMonths } from '@pc/domain/report/period.ts'
import { followerOf, LAST_KNOWN_FOLLOWER } from '@pc/platform/stats/last-known.ts'
import { ident, joined, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { allClosed, type ClosedMonths } from './closed-months.ts'
import { selectedSums } from './figure-sums.ts'
import { BUCKETS, byPeriod, overall } from './period-bucket.ts'
import { inReportScope, isOverAllPublishers, type ReportScope } from './report-scope.ts'

/** The additive figures of a publisher's day, as the statistics store names them. */
export const COUNT_COLUMNS = [
  'article_impression',
  'article_click',
  'article_watch',
  'video_impression',
  'video_click',
  'video_watch',
  'live_impression',
  'live_click',
  'live_watch',
  'publisher_revenue_micro_yen',
] as const
/** What the platform earned: read for staff only. */
export const SOURCE_REVENUE_COLUMNS = [
  'ads_revenue_micro_yen',
  'ssp_revenue_micro_yen',
  'video_ssp_revenue_micro_yen',
  'live_ssp_revenue_micro_yen',
] as const
export type SummaryColumn = (typeof COUNT_COLUMNS)[number] | (typeof SOURCE_REVENUE_COLUMNS)[number]

export interface SummaryQuery {
  readonly range: DayRange
  readonly granularity: Granularity
  readonly scope: ReportScope
}

const rowsOf = ({ range, scope }: SummaryQuery): Sql =>
  sql`date between ${range.from} and ${range.to}${inReportScope(scope)}`

const figureRows = (query: SummaryQuery): Sql =>
  sql`${table(isOverAllPublishers(query.scope) ? 'medium_day' : 'publisher_day')} where ${rowsOf(query)}`

/**
 * `bucket`, `days_with_data`, `is_closed`, `followers` (of days only) and `sum_<column>` for each period that has rows,
 * ascending. Totals are added up from these, so they always agree with them.
 */
export function periodSums(query: SummaryQuery, columns: readonly SummaryColumn[], closed: ClosedMonths): Sql {
  const followers = sql`${sumInt(ident('follower'))} as followers`
  return byPeriod(
    query.granularity,
    sql`${allClosed(closed)}, ${followers}, ${selectedSums(columns)}`,
    figureRows(query),
  )
}

/** `bucket` and `sum_<column>` for each day that has rows, ascending. */
export function daySums(query: Omit<SummaryQuery, 'granularity'>, columns: readonly SummaryColumn[]): Sql {
  return byPeriod('daily', selectedSums(columns), figureRows({ ...query, granularity: 'daily' }))
}

/** `sum_<column>` over everything; no row when there are none. */
export function totalSums(query: Omit<SummaryQuery, 'granularity'>, columns: readonly SummaryColumn[]): Sql {
  return overall(selectedSums(columns), figureRows({ ...query, granularity: 'daily' }))
}

/**
 * Rows with `date`, `medium_id`, `publisher_id`, `follower` whose latest ones are those of the range: the last follower
 * of a whole month is known beforehand, so only the days around the whole months are read one by one.
 */
function followerRows({ range, scope, granularity }: SummaryQuery): Sql {
  const rows = (from: Sql, days: DayRange) => sql`
    select date, medium_id, publisher_id, follower from ${from}
    where date between ${days.from} and ${days.to}${inReportScope(scope)} and follower is not null`
  const { before, months, after } = splitByMonths(range)
  if (granularity === 'weekly' || !months) return rows(table('publisher_day'), range)
  const parts = [rows(table('publisher_month'), { from: firstDayOf(months.first), to: firstDayOf(months.last) })]
  for (const edge of [before, after]) if (edge) parts.push(rows(table('publisher_day'), edge))
  return joined(parts, sql` union all `)
}

/** `bucket` and `followers`: the sum over publishers and media of the last value known in the week or month. */
export function periodFollowers(query: SummaryQuery): Sql {
  return sql`
    select bucket, ${sumInt(followerOf(ident('last_known')))} as followers from (
      select ${BUCKETS[query.granularity]} as bucket, medium_id, publisher_id, ${LAST_KNOWN_FOLLOWER} as last_known
      from (${followerRows(query)}) known group by bucket, medium_id, publisher_id
    ) publishers group by bucket order by bucket`
}

/** `followers` of the whole range: one row, null when none is known. */
export function totalFollowers(query: SummaryQuery): Sql {
  return sql`
    select ${sumInt(followerOf(ident('last_known')))} as followers from (
      select medium_id, publisher_id, ${LAST_KNOWN_FOLLOWER} as last_known
      from (${followerRows({ ...query, granularity: 'monthly' })}) known group by medium_id, publisher_id
    ) publishers`
}

/** `data_from` and `data_until`: the first and last day for which anything of the media has arrived, whoever it belongs to. */
export function dataUntil(mediumIds: readonly bigint[] | undefined): Sql {
  return sql`select min(date) as data_from, max(date) as data_until from ${table('medium_day')} where ${
    mediumIds ? sql`medium_id in ${mediumIds}` : sql`1 = 1`
  }`
}

/** `medium_id` and `date` of every day for which anything of a medium has arrived, whoever it belongs to. */
export function deliveredDays(range: DayRange, mediumIds: readonly bigint[] | undefined): Sql {
  return sql`select distinct medium_id, date from ${table('medium_day')}
    where date between ${range.from} and ${range.to} and ${mediumIds ? sql`medium_id in ${mediumIds}` : sql`1 = 1`}
    order by medium_id, date`
}

const demographicSource = (query: SummaryQuery): Sql =>
  table(isOverAllPublishers(query.scope) ? 'medium_demo_day' : 'publisher_demo_day')
const MATRIX = sql`gender_id >= 1 and age_id >= 1`

/** `bucket`, `gender`, `age`, `clicks`; ids of 0 (unknown) are left out (specification, section 9). */
export function periodDemographics(query: SummaryQuery): Sql {
  return sql`
    select ${BUCKETS[query.granularity]} as bucket, gender_id as gender, age_id as age, ${sumInt(ident('click'))} as clicks
    from ${demographicSource(query)} where ${rowsOf(query)} and ${MATRIX}
    group by bucket, gender_id, age_id order by bucket, gender_id, age_id`
}

/** The same over the whole range, without `bucket`. */
export function totalDemographics(query: SummaryQuery): Sql {
  return sql`
    select gender_id as gender, age_id as age, ${sumInt(ident('click'))} as clicks
    from ${demographicSource(query)} where ${rowsOf(query)} and ${MATRIX}
    group by gender_id, age_id order by gender_id, age_id`
}
