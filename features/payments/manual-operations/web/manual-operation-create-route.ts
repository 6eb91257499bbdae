import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { manualOperationCreatePath } from '../../links.ts'
import { manualOperationDraftCondition } from '../../manual-operation-draft-condition.ts'

export const manualOperationCreateRoute = defineRoute({
  path: manualOperationCreatePath('$operation'),
  title: '分配金調整の登録',
  allow: { action: 'write:create', resource: 'insight:dividend.' },
  condition: manualOperationDraftCondition,
  query: () => import('./manual-operation-query.ts').then(module => module.manualOperationQuery),
  view: () => import('./manual-operation-create-view.tsx').then(module => module.ManualOperationCreateView),
})
