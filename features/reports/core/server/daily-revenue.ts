import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { ident, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { readReportScope } from './report-scope.ts'
import { inReportScope } from './sql-parts.ts'

export interface DailyRevenue {
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly microYen: bigint
}

/** One entry per publisher, medium and day that has data, within the scope. Entries do not name their day. */
export async function readDailyRevenue(
  { stats, reader }: { readonly stats: StatsStore; readonly reader: Reader },
  scope: Scope,
  about: { readonly publisherIds: readonly bigint[]; readonly mediumIds: readonly bigint[]; readonly range: DayRange },
): Promise<readonly DailyRevenue[]> {
  const { publisherIds, mediumIds, range } = about
  const reportScope = await readReportScope(reader, scope, { publisherIds, mediumIds, organizationIds: undefined })
  if (reportScope.entries.length === 0) return []
  const rows = await stats.query(
    sql`select publisher_id as publisher, medium_id as medium, date,
        cast(${sumInt(ident('publisher_revenue_micro_yen'))} as bigint) as revenue
      from ${table('publisher_day')}
      where date between ${range.from} and ${range.to}${inReportScope(reportScope)}
      group by publisher_id, medium_id, date order by publisher_id, medium_id, date`,
  )
  return rows.map(row => ({
    publisherId: row.publisher as bigint,
    mediumId: row.medium as bigint,
    microYen: row.revenue as bigint,
  }))
}
