import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { videosCondition } from '../../content-condition.ts'
import { VIDEOS_REPORT_PATH } from '../../links.ts'

export const videosReportRoute = defineRoute({
  path: VIDEOS_REPORT_PATH,
  title: '動画レポート',
  help: 'metrics.html#動画レポートと動画の詳細',
  allow: { action: 'read:list', resource: 'insight:video_stats.' },
  condition: videosCondition,
  query: () => import('./content-query.ts').then(module => module.videosReportQuery),
  view: () => import('./videos-report-view.tsx').then(module => module.VideosReportView),
})
