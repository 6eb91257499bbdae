import { ARTICLE_COLUMNS } from './article-columns.ts'
import { DASHBOARD_COLUMNS } from './dashboard-columns.ts'
import { RANKING_COLUMNS } from './ranking-columns.ts'
import type { Report, ReportColumn } from './report-columns.ts'
import { VIDEO_COLUMNS } from './video-columns.ts'

/**
 * The columns of every report, for exported files and the manual. Screens import only their own columns, so that the
 * landing page does not load those of other reports.
 */
export const REPORT_COLUMNS: Readonly<Record<Report, readonly ReportColumn[]>> = {
  dashboard: DASHBOARD_COLUMNS,
  'publisher-ranking': RANKING_COLUMNS,
  ...ARTICLE_COLUMNS,
  ...VIDEO_COLUMNS,
}
