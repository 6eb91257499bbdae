import type { Granularity } from '@pc/domain/report/granularity.ts'
import { type Sql, sql } from '@pc/platform/stats/sql.ts'

/** SQL of the first day of the period that a row's day is in; weeks start on Sunday. */
export const BUCKETS: Readonly<Record<Granularity, Sql>> = {
  daily: sql`date`,
  weekly: sql`cast(date_trunc('week', date + 1) as date) - 1`,
  monthly: sql`cast(date_trunc('month', date) as date)`,
}

/** Answers `bucket`, `days_with_data` and `selected` for each period that has rows, ascending. */
export function byPeriod(granularity: Granularity, selected: Sql, rows: Sql): Sql {
  // A daily bucket has exactly one day, so the costly `distinct` is skipped.
  const days = granularity === 'daily' ? sql`1` : sql`count(distinct date)`
  return sql`select ${BUCKETS[granularity]} as bucket, ${days} as days_with_data, ${selected} from ${rows} group by bucket order by bucket`
}

/** Answers `days_with_data` and `selected` over all rows; no result row when there are none. */
export function overall(selected: Sql, rows: Sql): Sql {
  return sql`select count(distinct date) as days_with_data, ${selected} from ${rows} having count(*) > 0`
}
