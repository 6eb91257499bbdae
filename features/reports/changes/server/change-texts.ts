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

/** Why a figure changed, in two or three sentences, of what the reader may see; undefined: nothing can be compared. */
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

/** A figure of one publisher on a medium that differs much from its usual self. */
export interface ExplainedAnomaly {
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly day: Day
  readonly figure: WatchedFigure
}

/**
 * What caused it: against the same weekday a week before, of the publisher's own rows, all of which those who are told may
 * see. Undefined: nothing can be compared, or the figure was no other then.
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
