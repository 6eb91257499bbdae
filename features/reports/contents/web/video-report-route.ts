import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { contentCondition } from '../../content-condition.ts'
import { VIDEO_REPORT_PATH } from '../../links.ts'

export const videoReportRoute = defineRoute({
  path: VIDEO_REPORT_PATH,
  title: '動画の詳細',
  allow: { action: 'read:list', resource: 'insight:video_stats.' },
  condition: contentCondition,
  query: () => import('./content-query.ts').then(module => module.videoReportQuery),
  view: () => import('./video-report-view.tsx').then(module => module.VideoReportView),
})
