import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { addUp, sumOfColumns } from './figure-sums.ts'
import { readReportScope } from './report-scope.ts'
import { type SummaryColumn, totalSums } from './summary-sql.ts'

/** What a figure of the dashboard is the sum of. */
const COLUMNS = {
  publisherTotalRevenue: ['publisher_revenue_micro_yen'],
  impressions: ['article_impression', 'video_impression', 'live_impression'],
  clicks: ['article_click', 'video_click', 'live_click'],
  watchCount: ['article_watch', 'video_watch', 'live_watch'],
} as const satisfies Readonly<Record<string, readonly SummaryColumn[]>>

/**
 * A figure of the dashboard over some days, as the scope reads it there: yen rounded down once, counts as they are.
 * Null: no data, which is not zero.
 */
export async function readFigureAtQuestion(
  { stats, reader }: { readonly stats: StatsStore; readonly reader: Reader },
  scope: Scope,
  question: {
    readonly range: DayRange
    readonly figure: keyof typeof COLUMNS
    /** Empty: every one of the scope. */
    readonly mediumIds: readonly bigint[]
    readonly publisherIds: readonly bigint[]
  },
): Promise<bigint | null> {
  const all = (ids: readonly bigint[]) => (ids.length === 0 ? undefined : ids)
  const reportScope = await readReportScope(reader, scope, {
    mediumIds: all(question.mediumIds),
    publisherIds: all(question.publisherIds),
    organizationIds: undefined,
  })
  if (reportScope.entries.length === 0) return null
  const columns = COLUMNS[question.figure]
  const rows = await stats.query(totalSums({ range: question.range, scope: reportScope }, columns))
  if (rows.length === 0) return null
  const sum = sumOfColumns(addUp(rows, columns), ...columns)
  return question.figure === 'publisherTotalRevenue' ? shownYen(sum) : sum
}
