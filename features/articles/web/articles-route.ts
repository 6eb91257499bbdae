import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { articleCondition } from '../article-condition.ts'
import { ARTICLES_PATH } from '../links.ts'

export const articlesRoute = defineRoute({
  path: ARTICLES_PATH,
  title: '記事',
  help: { staff: 'admin-guide.html#3-5-記事の削除', publisher: 'content-guidelines.html#訂正と取り下げ' },
  allow: { action: 'read:list', resource: 'insight:medium_article.' },
  condition: articleCondition,
  query: () => import('./articles-query.ts').then(module => module.articlesQuery),
  view: () => import('./articles-view.tsx').then(module => module.ArticlesView),
})
