import type { Graph } from '@pc/platform/graphql/graph.ts'
import { addSuddenChangeFields } from '../../anomalies/server/anomaly-fields.ts'
import { addArticleFields } from '../../contents/server/article-fields.ts'
import { contentRevenueType } from '../../contents/server/content-fields.ts'
import { addVideoFields } from '../../contents/server/video-fields.ts'
import { addSummaryFields } from '../../dashboard/server/summary-fields.ts'
import { addFeeFairnessFields } from '../../fairness/server/fee-fairness-fields.ts'
import { addOwnHistoryFields } from '../../fairness/server/own-history-fields.ts'
import { addMonthForecastFields } from '../../forecast/server/month-forecast-fields.ts'
import { addLiveFields } from '../../live/server/live-fields.ts'
import { addRankFields } from '../../ranking/server/rank-fields.ts'
import { clickDemographicType } from './click-demographic.ts'
import { lateMediumType } from './late-medium-type.ts'
import { revenueDetailType } from './publisher-figure-fields.ts'
import { type ReportEnums, reportEnums } from './report-enums.ts'
import type { ReportSources } from './report-sources.ts'

/** The queries of the reports (specification, section 7). */
export function addReportFields(graph: Graph, sources: ReportSources): ReportEnums {
  const enums = reportEnums(graph)
  const RevenueDetail = revenueDetailType(graph)
  const ContentRevenueDetail = contentRevenueType(graph)
  const ClickDemographic = clickDemographicType(graph)
  const LateMedium = lateMediumType(graph)
  addSummaryFields(graph, sources, { enums, RevenueDetail, ClickDemographic, LateMedium })
  addRankFields(graph, sources, { enums, RevenueDetail, LateMedium })
  addArticleFields(graph, sources, { enums, ContentRevenueDetail, ClickDemographic, LateMedium })
  addLiveFields(graph, sources)
  addMonthForecastFields(graph, sources)
  addSuddenChangeFields(graph, sources)
  addOwnHistoryFields(graph, sources)
  addFeeFairnessFields(graph, sources)
  addVideoFields(graph, sources, { enums, ContentRevenueDetail, LateMedium })
  return enums
}
