import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { addUp, sumOfColumns } from './figure-sums.ts'
import { readReportScope } from './report-scope.ts'
import { type SummaryColumn, totalSums } from './summary-sql.ts'

/** The statistics columns that each dashboard figure sums. */
const COLUMNS = {
  publisherTotalRevenue: ['publisher_revenue_micro_yen'],
  impressions: ['article_impression', 'video_impression', 'live_impression'],
  clicks: ['article_click', 'video_click', 'live_click'],
  watchCount: ['article_watch', 'video_watch', 'live_watch'],
} as const satisfies Readonly<Record<string, readonly SummaryColumn[]>>

/**
 * The value of a dashboard figure that a question is about, within the scope: yen rounded down once, or a count.
 * Null, not 0, when there is no data.
 */
export async function readFigureAtQuestion(
  { stats, reader }: { readonly stats: StatsStore; readonly reader: Reader },
  scope: Scope,
  question: {
    readonly range: DayRange
    readonly figure: keyof typeof COLUMNS
    /** Empty, here and below: all of the scope. */
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
