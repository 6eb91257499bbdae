import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { firstDayOf, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { periodsOf, splitByMonths } from '@pc/domain/report/period.ts'
import { followerOf, KNOWN_FOLLOWER, LAST_KNOWN_FOLLOWER } from '@pc/platform/stats/last-known-followers.ts'
import { ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { ClosedMonths } from './closed-months.ts'
import { rowTables, rowValue } from './labelled-rows.ts'
import { BUCKETS, byPeriod, overall } from './period-bucket.ts'
import type { PlannedRows } from './report-plan.ts'
import { allClosed, carriesLabels, inReportScope, isOverAllPublishers, selectedSums, without } from './sql-parts.ts'

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
/** The platform's revenue by source, read for staff only. */
export const SOURCE_REVENUE_COLUMNS = [
  'ads_revenue_micro_yen',
  'ssp_revenue_micro_yen',
  'video_ssp_revenue_micro_yen',
  'live_ssp_revenue_micro_yen',
] as const
export type SummaryColumn = (typeof COUNT_COLUMNS)[number] | (typeof SOURCE_REVENUE_COLUMNS)[number]

export interface SummaryQuery extends PlannedRows {
  readonly granularity: Granularity
}

const rowsOf = ({ range, scope, absent }: PlannedRows): Sql =>
  sql`date between ${range.from} and ${range.to}${inReportScope(scope)}${without(absent)}${carriesLabels(scope)}`

const figureRows = (query: PlannedRows): Sql =>
  sql`${table(isOverAllPublishers(query.scope) ? 'medium_day' : rowTables(query.scope).day)} where ${rowsOf(query)}`

const sumsOf = ({ scope }: PlannedRows, columns: readonly SummaryColumn[]): Sql =>
  selectedSums(columns, rowValue(scope))

/**
 * Answers `bucket`, `days_with_data`, `is_closed`, `followers` (meaningful for daily periods only) and `sum_<column>` for
 * each period that has rows, ascending. Totals are added up from these, so they always agree.
 */
export function periodSums(query: SummaryQuery, columns: readonly SummaryColumn[], closed: ClosedMonths): Sql {
  const followers = sql`${sumInt(rowValue(query.scope)('follower'))} as followers`
  return byPeriod(
    query.granularity,
    sql`${allClosed(closed)}, ${followers}, ${sumsOf(query, columns)}`,
    figureRows(query),
  )
}

/** Answers `bucket` and `sum_<column>` for each day that has rows, ascending. */
export function daySums(query: PlannedRows, columns: readonly SummaryColumn[]): Sql {
  return byPeriod('daily', sumsOf(query, columns), figureRows(query))
}

/** Answers `medium_id`, `date` and `sum_<column>` for each day of a medium that has rows, ordered by both. */
export function mediumDaySums(query: PlannedRows, columns: readonly SummaryColumn[]): Sql {
  return sql`select medium_id, date, ${sumsOf(query, columns)} from ${figureRows(query)}
    group by medium_id, date order by medium_id, date`
}

/** The `from` clause (without the keyword) of the query's rows of the given media. */
export function rowsOfMedia(query: PlannedRows, mediumIds: readonly bigint[]): Sql {
  return sql`${figureRows(query)} and medium_id in ${mediumIds}`
}

/** Answers `days_with_data` and `sum_<column>` over all rows; no result row when there are none. */
export function totalSums(query: PlannedRows, columns: readonly SummaryColumn[]): Sql {
  return overall(sumsOf(query, columns), figureRows(query))
}

/**
 * Answers `bucket`, `medium_id`, `publisher_id` and `last_known` per week or month. The monthly roll-up has the last known
 * followers of whole months; only the days around them are read from the daily table.
 */
function knownFollowers({ range, scope, granularity }: SummaryQuery): Sql {
  // A report filtered by label has figures of articles, which have no followers: no rows.
  const noLevels = scope.labels ? sql` and 1 = 0` : none
  const rowsIn = (days: DayRange) =>
    sql`where date between ${days.from} and ${days.to}${inReportScope(scope)} and follower is not null${noLevels}`
  const ofDays = (bucket: Sql, days: DayRange) => sql`
    select ${bucket} as bucket, medium_id, publisher_id, ${LAST_KNOWN_FOLLOWER} as last_known
    from ${table('publisher_day')} ${rowsIn(days)} group by bucket, medium_id, publisher_id`
  if (granularity === 'weekly') return ofDays(BUCKETS.weekly, range)
  const { months } = splitByMonths(range)
  const isWhole = (month: YearMonth) => months && month >= months.first && month <= months.last
  const parts = periodsOf('monthly', range)
    .filter(({ startsOn }) => !isWhole(monthOfDay(startsOn)))
    .map(({ startsOn, covered }) => ofDays(sql`${startsOn}`, covered))
  if (months) {
    parts.unshift(sql`
      select date as bucket, medium_id, publisher_id, ${KNOWN_FOLLOWER} as last_known
      from ${table('publisher_month')} ${rowsIn({ from: firstDayOf(months.first), to: firstDayOf(months.last) })}`)
  }
  return joined(parts, sql` union all `)
}

/**
 * Answers `bucket` and `followers`, the sum over publishers and media of each one's last known value in the week (or in
 * the month, also when the report is by day). Every row has `total_followers`, the same over the whole range.
 */
export function followers(query: SummaryQuery): Sql {
  const total = sql`
    select ${sumInt(followerOf(ident('latest_known')))} as sum_of_latest
    from (select max(last_known) as latest_known from known group by medium_id, publisher_id) latest`
  return sql`
    with known as (${knownFollowers(query)})
    select bucket, ${sumInt(followerOf(ident('last_known')))} as followers, (${total}) as total_followers
    from known group by bucket order by bucket`
}

const demographicSource = ({ scope }: SummaryQuery): Sql =>
  table(isOverAllPublishers(scope) ? 'medium_demo_day' : rowTables(scope).demographics)
const MATRIX = sql`gender_id >= 1 and age_id >= 1`

/** Answers `bucket`, `gender`, `age` and `clicks`; rows with an unknown gender or age (id 0) are left out. */
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
