import type { Day } from '@pc/domain/month/day.ts'
import { joined, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import { selectedSums } from '../../core/server/sql-parts.ts'
import { COUNT_COLUMNS } from '../../core/server/summary-sql.ts'

/**
 * `publisher`, `date` and `sum_<column>` of every publisher of a medium on some days.
 * Tested by `features/reports/anomalies/server/check-anomalies.test.ts`.
 */
export function publisherDays(mediumId: bigint, days: readonly Day[]): Sql {
  const listed = joined(
    days.map(day => sql`${day}`),
    sql`, `,
  )
  return sql`
    select publisher_id as publisher, date, ${selectedSums(COUNT_COLUMNS)} from ${table('publisher_day')}
    where medium_id = ${mediumId} and date in (${listed}) group by publisher_id, date order by publisher_id, date`
}

/** `medium_id` and `data_until`, each medium's last delivered day up to `day`; media without any have no row. */
export function mediaUntil(day: Day): Sql {
  return sql`select medium_id, max(date) as data_until from ${table('medium_day')} where date <= ${day}
    group by medium_id order by medium_id`
}
