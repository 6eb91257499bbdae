import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { contentCondition } from '../../content-condition.ts'
import { ARTICLE_REPORT_PATH } from '../../links.ts'

export const articleReportRoute = defineRoute({
  path: ARTICLE_REPORT_PATH,
  title: '記事の詳細',
  allow: { action: 'read:list', resource: 'insight:article_stats.' },
  condition: contentCondition,
  query: () => import('./content-query.ts').then(module => module.articleReportQuery),
  view: () => import('./article-report-view.tsx').then(module => module.ArticleReportView),
})
