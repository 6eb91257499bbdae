import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { STATEMENTS_PATH } from '../links.ts'
import { statementCondition } from '../statement-condition.ts'

export const statementsRoute = defineRoute({
  path: STATEMENTS_PATH,
  title: '支払通知書',
  help: { staff: 'statements.html#運営の経理の方', publisher: 'statements.html#パブリッシャーの方' },
  allow: { action: 'read:list', resource: 'insight:statement.' },
  condition: statementCondition,
  query: () => import('./statements-query.ts').then(module => module.statementsQuery),
  view: () => import('./statements-view.tsx').then(module => module.StatementsView),
})
