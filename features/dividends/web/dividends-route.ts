import { defineRoute } from '@pc/ui/define-route.ts'
import { dividendCondition } from '../dividend-condition.ts'
import { DIVIDENDS_PATH } from '../links.ts'
import { dividendsQuery } from './dividends-query.ts'

export const dividendsRoute = defineRoute({
  path: DIVIDENDS_PATH,
  title: '分配金調整',
  allow: { action: 'read:list', resource: 'insight:dividend.' },
  condition: dividendCondition,
  query: dividendsQuery,
  view: () => import('./dividends-view.tsx').then(module => module.DividendsView),
})
