import { ident, type Sql, sql } from '@pc/platform/stats/sql.ts'
import type { ReportScope } from './report-scope.ts'

/** What articles have of the columns of publishers' rows, as their rows name it. */
const OF_ARTICLES: Readonly<Record<string, string>> = {
  ...{ publisher_id: 'publisher_id', medium_id: 'medium_id', date: 'date' },
  ...{ article_impression: 'impression', article_click: 'click', article_watch: 'watch' },
  publisher_revenue_micro_yen: 'publisher_revenue_micro_yen',
  ads_revenue_micro_yen: 'ads_revenue_micro_yen',
}

/** The tables that a report of publishers reads: where it is narrowed to labels, those of the articles that carry them. */
export function rowTables({ labels }: ReportScope) {
  return labels
    ? ({ day: 'article_day', month: 'article_month', demographics: 'article_demo_day' } as const)
    : ({ day: 'publisher_day', month: 'publisher_month', demographics: 'publisher_demo_day' } as const)
}

/** The columns of these tables that are needed for columns of publishers' rows. */
export function rowColumns({ labels }: ReportScope, columns: readonly string[]): readonly string[] {
  return labels ? [...new Set(columns.flatMap(column => OF_ARTICLES[column] ?? []))] : columns
}

/** A column of publishers' rows in a row of these tables. What articles do not have is 0; a level is not known. */
export function rowValue({ labels }: ReportScope): (column: string) => Sql {
  if (!labels) return ident
  return column => {
    const own = OF_ARTICLES[column]
    if (own !== undefined) return ident(own)
    return column === 'follower' ? sql`nullif(0, 0)` : sql`0`
  }
}
