import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { articlesCondition } from '../../content-condition.ts'
import { ARTICLES_REPORT_PATH } from '../../links.ts'

export const articlesReportRoute = defineRoute({
  path: ARTICLES_REPORT_PATH,
  title: '記事レポート',
  help: 'metrics.html#記事レポートと記事の詳細',
  allow: { action: 'read:list', resource: 'insight:article_stats.' },
  condition: articlesCondition,
  query: () => import('./content-query.ts').then(module => module.articlesReportQuery),
  view: () => import('./articles-report-view.tsx').then(module => module.ArticlesReportView),
})
