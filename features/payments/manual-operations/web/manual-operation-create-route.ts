import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { dividendDraftCondition } from '../../manual-operation-draft-condition.ts'
import { dividendCreatePath } from '../../month-close-links.ts'

export const dividendCreateRoute = defineRoute({
  path: dividendCreatePath('$operation'),
  title: '分配金調整の登録',
  allow: { action: 'write:create', resource: 'insight:dividend.' },
  condition: dividendDraftCondition,
  query: () => import('./manual-operation-query.ts').then(module => module.dividendOperationQuery),
  view: () => import('./manual-operation-create-view.tsx').then(module => module.DividendCreateView),
})
