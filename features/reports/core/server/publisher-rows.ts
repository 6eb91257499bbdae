import { ident, joined, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import { rowColumns, rowTables, rowValue } from './labelled-rows.ts'
import { monthsAndDays } from './months-and-days.ts'
import type { PlannedRows } from './report-plan.ts'
import { carriesLabels, inReportScope, selectedSums, without } from './sql-parts.ts'

/** A union of publishers' rows: whole months from the monthly roll-up, the days around them from the daily table. */
export function publisherRows({ range, scope, absent }: PlannedRows, columns: readonly string[]): Sql {
  const selected = joined(rowColumns(scope, ['publisher_id', ...columns]).map(ident), sql`, `)
  const { day, month } = rowTables(scope)
  const rows = (from: typeof day | typeof month, where: Sql) => sql`
    select ${selected} from ${table(from)} where ${where}${inReportScope(scope)}${without(absent)}${carriesLabels(scope)}`
  const { months, days } = monthsAndDays(range, absent)
  return joined(
    [
      ...(months ? [rows(month, months)] : []),
      ...days.map(({ from, to }) => rows(day, sql`date between ${from} and ${to}`)),
    ],
    sql` union all `,
  )
}

/** Answers `publisher` and `sum_<column>` of each publisher that has rows. */
export function publisherSums(query: PlannedRows, columns: readonly string[]): Sql {
  return sql`select publisher_id as publisher, ${selectedSums(columns, rowValue(query.scope))} from (${publisherRows(query, columns)}) publisher_rows
    group by publisher_id order by publisher_id`
}
