import { decide, type Permit } from '@pc/domain/access/decide.ts'
import { changeSentence, reasonText } from '@pc/domain/change/change-sentence.ja.ts'
import { shownDifference } from '@pc/domain/change/parts-in-steps.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { WatchedFigure } from '@pc/domain/report/anomaly.ts'
import type { ChangeMetric } from '@pc/domain/report/metric-identity.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { readChange, readChangeIn } from './change-report.ts'
import type { ChangeRequest } from './change-request.ts'

/** Two or three sentences on why a figure changed, within the permit's scope; undefined when nothing can be compared. */
export async function readChangeSentence(
  sources: ReportSources,
  request: ChangeRequest,
  permit: Permit<'read:list', 'insight:summary_stats.'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const rights = {
    articles: decide(permit.viewer, 'read:list', 'insight:article_stats.') !== undefined,
    videos: decide(permit.viewer, 'read:list', 'insight:video_stats.') !== undefined,
  }
  const change = await readChange(sources, request, permit, rights, signal)
  return change && changeSentence(change)
}

const METRICS: Readonly<Record<WatchedFigure, ChangeMetric>> = {
  impressions: 'impressions',
  clicks: 'clicks',
  revenue: 'publisherTotalRevenue',
}

/** A figure of one publisher on a medium and day that differs much from its usual value. */
export interface ExplainedAnomaly {
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly day: Day
  readonly figure: WatchedFigure
}

/**
 * The cause of an anomaly, compared with the same weekday a week before. Reads only the publisher's own rows, all of which
 * the recipients may see. Undefined when nothing can be compared or the figure was the same.
 * Tested by `features/reports/anomalies/server/check-anomalies.test.ts`.
 */
export async function readAnomalyReason(
  sources: ReportSources,
  { publisherId, mediumId, day, figure }: ExplainedAnomaly,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const request: ChangeRequest = {
    ...{ metric: METRICS[figure], compareWith: 'same_weekdays', range: { from: day, to: day } },
    filter: { publisherIds: [publisherId], mediumIds: [mediumId], organizationIds: undefined },
  }
  const change = await readChangeIn(SYSTEM, sources, request, { articles: true, videos: true }, signal)
  if (!change || shownDifference(change) === 0n) return undefined
  return reasonText(change) || undefined
}
