import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { MONTH_CLOSE_PATH } from '../../links.ts'
import { monthCloseCondition } from '../../month-close-condition.ts'

export const monthCloseRoute = defineRoute({
  path: MONTH_CLOSE_PATH,
  title: '分配金調整',
  help: 'first-close.html',
  allow: { action: 'read:list', resource: 'insight:dividend.' },
  condition: monthCloseCondition,
  query: () => import('./month-close-query.ts').then(module => module.monthCloseQuery),
  view: () => import('./month-close-view.tsx').then(module => module.MonthCloseView),
})
