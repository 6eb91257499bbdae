import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PUBLISHER_RANKING_PATH } from '../../links.ts'
import { rankingCondition } from '../../ranking-condition.ts'

export const publisherRankingRoute = defineRoute({
  path: PUBLISHER_RANKING_PATH,
  title: 'パブリッシャーランキング',
  help: 'metrics.html#ダッシュボードとパブリッシャーランキング',
  allow: { action: 'read:list', resource: 'insight:publisher_rank.' },
  condition: rankingCondition,
  query: () => import('./publisher-ranking-query.ts').then(module => module.publisherRankingQuery),
  view: () => import('./publisher-ranking-view.tsx').then(module => module.PublisherRankingView),
})
