import type { Permit } from '@pc/domain/access/decide.ts'
import type { TopRequest } from '../../core/server/report-arguments.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type PublisherRank, type RankRequest, readRanking } from './rank-report.ts'

/** The publishers with the greatest revenue. */
export async function readTopPublishers(
  sources: ReportSources,
  { range, filter, limit }: TopRequest,
  permit: Permit<'read:list', 'insight:publisher_rank.'>,
  signal?: AbortSignal,
): Promise<readonly PublisherRank[]> {
  const request: RankRequest = {
    ...{ range, filter, page: { limit, offset: 0 } },
    order: { name: 'REVENUE', isDescending: true },
    compareWith: 'previous_period',
    wanted: { compared: false, revenueDetail: false },
  }
  return (await readRanking(sources, request, permit, signal)).nodes
}
