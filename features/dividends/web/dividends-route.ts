import { defineRoute } from '@pc/ui/define-route.ts'
import { dividendCondition } from '../dividend-condition.ts'
import { DIVIDENDS_PATH } from '../links.ts'

export const dividendsRoute = defineRoute({
  path: DIVIDENDS_PATH,
  title: '分配金調整',
  allow: { action: 'read:list', resource: 'insight:dividend.' },
  condition: dividendCondition,
  query: () => import('./dividends-query.ts').then(module => module.dividendsQuery),
  view: () => import('./dividends-view.tsx').then(module => module.DividendsView),
})
