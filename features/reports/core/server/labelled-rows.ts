import { ident, type Sql, sql } from '@pc/platform/stats/sql.ts'
import type { ReportScope } from './report-scope.ts'

/** The columns of an article's row, by the column of a publisher's row that they stand for. */
const OF_ARTICLES: Readonly<Record<string, string>> = {
  ...{ publisher_id: 'publisher_id', medium_id: 'medium_id', date: 'date' },
  ...{ article_impression: 'impression', article_click: 'click', article_watch: 'watch' },
  publisher_revenue_micro_yen: 'publisher_revenue_micro_yen',
  ads_revenue_micro_yen: 'ads_revenue_micro_yen',
}

/** The tables of a publishers' report; those of articles when the report is filtered by label. */
export function rowTables({ labels }: ReportScope) {
  return labels
    ? ({ day: 'article_day', month: 'article_month', demographics: 'article_demo_day' } as const)
    : ({ day: 'publisher_day', month: 'publisher_month', demographics: 'publisher_demo_day' } as const)
}

/** The columns of {@link rowTables} behind the given columns of publishers' rows. */
export function rowColumns({ labels }: ReportScope, columns: readonly string[]): readonly string[] {
  return labels ? [...new Set(columns.flatMap(column => OF_ARTICLES[column] ?? []))] : columns
}

/** SQL of a publishers' column in {@link rowTables}. Counts that articles lack are 0; followers are null, that is unknown. */
export function rowValue({ labels }: ReportScope): (column: string) => Sql {
  if (!labels) return ident
  return column => {
    const own = OF_ARTICLES[column]
    if (own !== undefined) return ident(own)
    return column === 'follower' ? sql`nullif(0, 0)` : sql`0`
  }
}
