import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { coversWholeMonths } from '@pc/domain/report/period.ts'
import { followerOf, LAST_KNOWN_FOLLOWER } from '@pc/platform/stats/last-known.ts'
import { ident, joined, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { inReportScope, type ReportScope } from './report-scope.ts'

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

/** First day of the period of a row's day; weeks start on Sunday. */
const BUCKETS: Readonly<Record<Granularity, Sql>> = {
  daily: sql`date`,
  weekly: sql`cast(date_trunc('week', date + 1) as date) - 1`,
  monthly: sql`cast(date_trunc('month', date) as date)`,
}

const rowsOf = ({ range, scope }: SummaryQuery): Sql =>
  sql`date between ${range.from} and ${range.to}${inReportScope(scope)}`

/** Sums by month give the same figures where only whole months are asked for, from a thirtieth of the rows. */
function sourceOf({ granularity, range }: SummaryQuery): Sql {
  return table(granularity === 'monthly' && coversWholeMonths(range) ? 'publisher_month' : 'publisher_day')
}

/** `bucket` and `sum_<column>` for each period that has rows, ascending. */
export function periodSums(query: SummaryQuery, columns: readonly SummaryColumn[]): Sql {
  const sums = columns.map(column => sql`${sumInt(ident(column))} as ${ident(`sum_${column}`)}`)
  return sql`
    select ${BUCKETS[query.granularity]} as bucket, ${joined(sums, sql`, `)}
    from ${sourceOf(query)} where ${rowsOf(query)} group by bucket order by bucket`
}

/** `bucket` and `followers`: the sum over publishers and media of the last value known in the period. */
export function periodFollowers(query: SummaryQuery): Sql {
  return sql`
    select bucket, ${sumInt(followerOf(ident('last_known')))} as followers from (
      select ${BUCKETS[query.granularity]} as bucket, medium_id, publisher_id, ${LAST_KNOWN_FOLLOWER} as last_known
      from ${sourceOf(query)} where ${rowsOf(query)} and follower is not null group by bucket, medium_id, publisher_id
    ) publishers group by bucket order by bucket`
}

/** `followers` of the whole range: one row, null when none is known. */
export function totalFollowers(query: SummaryQuery): Sql {
  return sql`
    select ${sumInt(followerOf(ident('last_known')))} as followers from (
      select medium_id, publisher_id, ${LAST_KNOWN_FOLLOWER} as last_known
      from ${sourceOf(query)} where ${rowsOf(query)} and follower is not null group by medium_id, publisher_id
    ) publishers`
}

/** `day` and `medium` of everything that has arrived in the range: each pair once. */
export function dataDays(query: SummaryQuery): Sql {
  return sql`
    select date as day, medium_id as medium from ${table('publisher_day')} where ${rowsOf(query)}
    group by date, medium_id order by date, medium_id`
}

/** `data_until`: the last day for which anything of the media has arrived, whoever it belongs to. */
export function dataUntil(mediumIds: readonly bigint[] | undefined): Sql {
  return sql`select max(date) as data_until from ${table('publisher_day')} where ${
    mediumIds ? sql`medium_id in ${mediumIds}` : sql`1 = 1`
  }`
}

const MATRIX = sql`gender_id >= 1 and age_id >= 1`

/** `bucket`, `gender`, `age`, `clicks`; ids of 0 (unknown) are left out (specification, section 9). */
export function periodDemographics(query: SummaryQuery): Sql {
  return sql`
    select ${BUCKETS[query.granularity]} as bucket, gender_id as gender, age_id as age, ${sumInt(ident('click'))} as clicks
    from ${table('publisher_demo_day')} where ${rowsOf(query)} and ${MATRIX}
    group by bucket, gender_id, age_id order by bucket, gender_id, age_id`
}

/** The same over the whole range, without `bucket`. */
export function totalDemographics(query: SummaryQuery): Sql {
  return sql`
    select gender_id as gender, age_id as age, ${sumInt(ident('click'))} as clicks
    from ${table('publisher_demo_day')} where ${rowsOf(query)} and ${MATRIX}
    group by gender_id, age_id order by gender_id, age_id`
}
