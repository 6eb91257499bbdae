import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { MONTH_CLOSE_PATH } from '../../links.ts'
import { dividendCondition } from '../../manual-operation-condition.ts'

export const dividendsRoute = defineRoute({
  path: MONTH_CLOSE_PATH,
  title: '分配金調整',
  allow: { action: 'read:list', resource: 'insight:dividend.' },
  condition: dividendCondition,
  query: () => import('./month-close-query.ts').then(module => module.dividendsQuery),
  view: () => import('./month-close-view.tsx').then(module => module.DividendsView),
})
