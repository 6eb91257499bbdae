import { ident, joined, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import { monthsAndDays } from './months-and-days.ts'
import type { PlannedRows } from './report-plan.ts'
import { inReportScope, selectedSums, without } from './statement-parts.ts'

/** Columns of the rows of publishers: whole months from the sums by month, the days around them from the days. */
export function publisherRows({ range, scope, absent }: PlannedRows, columns: readonly string[]): Sql {
  const selected = joined(['publisher_id', ...columns].map(ident), sql`, `)
  const rows = (from: Sql, where: Sql) => sql`
    select ${selected} from ${from} where ${where}${inReportScope(scope)}${without(absent)}`
  const { months, days } = monthsAndDays(range, absent)
  return joined(
    [
      ...(months ? [rows(table('publisher_month'), months)] : []),
      ...days.map(({ from, to }) => rows(table('publisher_day'), sql`date between ${from} and ${to}`)),
    ],
    sql` union all `,
  )
}

/** `publisher` and `sum_<column>` of each publisher that has rows. */
export function publisherSums(query: PlannedRows, columns: readonly string[]): Sql {
  return sql`select publisher_id as publisher, ${selectedSums(columns)} from (${publisherRows(query, columns)}) publisher_rows
    group by publisher_id order by publisher_id`
}
