import { addAnomalyFields } from '@pc/features/reports/anomalies/server/anomaly-fields.ts'
import { addChangeFields } from '@pc/features/reports/changes/server/change-fields.ts'
import { readChangeSentence } from '@pc/features/reports/changes/server/change-texts.ts'
import { addArticleFields } from '@pc/features/reports/contents/server/article-fields.ts'
import { CONTENT_EXPORTERS } from '@pc/features/reports/contents/server/content-exporters.ts'
import { contentRevenueType } from '@pc/features/reports/contents/server/content-fields.ts'
import { readTopArticles } from '@pc/features/reports/contents/server/top-articles.ts'
import { addVideoFields } from '@pc/features/reports/contents/server/video-fields.ts'
import type { ReportExporters } from '@pc/features/reports/core/server/report-exporter.ts'
import { type ReportTypes, reportTypes } from '@pc/features/reports/core/server/report-graph.ts'
import type { ReportSources } from '@pc/features/reports/core/server/report-sources.ts'
import { exportDashboard } from '@pc/features/reports/dashboard/server/dashboard-export.ts'
import { addSummaryFields } from '@pc/features/reports/dashboard/server/summary-fields.ts'
import { readSummary } from '@pc/features/reports/dashboard/server/summary-report.ts'
import { addFeeFairnessFields } from '@pc/features/reports/fairness/server/fee-fairness-fields.ts'
import { addOwnHistoryFields } from '@pc/features/reports/fairness/server/own-history-fields.ts'
import { addMonthForecastFields } from '@pc/features/reports/forecast/server/month-forecast-fields.ts'
import { addLiveFields } from '@pc/features/reports/live/server/live-fields.ts'
import { addRankFields } from '@pc/features/reports/ranking/server/rank-fields.ts'
import { exportRanking } from '@pc/features/reports/ranking/server/ranking-export.ts'
import { readTopPublishers } from '@pc/features/reports/ranking/server/top-publishers.ts'
import type { EmailedReports } from '@pc/features/reports/report-emails/server/emailed-reports.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'

/** Adds the report queries to the graph. */
export function addReportFields(graph: Graph, sources: ReportSources): ReportTypes {
  const types = reportTypes(graph)
  const contentTypes = { ...types, ContentRevenueDetail: contentRevenueType(graph) }
  addSummaryFields(graph, sources, types)
  addChangeFields(graph, sources, types)
  addRankFields(graph, sources, types)
  addArticleFields(graph, sources, contentTypes)
  addLiveFields(graph, sources)
  addMonthForecastFields(graph, sources)
  addAnomalyFields(graph, sources)
  addOwnHistoryFields(graph, sources)
  addFeeFairnessFields(graph, sources)
  addVideoFields(graph, sources, contentTypes)
  return types
}

/** Export functions by screen. */
export const REPORT_EXPORTERS: ReportExporters = {
  dashboard: exportDashboard,
  'publisher-ranking': exportRanking,
  ...CONTENT_EXPORTERS,
}

/** Reads the content of report emails. */
export const EMAILED_REPORTS: EmailedReports = {
  ...{ readSummary, readChangeSentence, readTopPublishers, readTopArticles },
}
