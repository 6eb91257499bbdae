import { defineRoute } from '@pc/ui/define-route.ts'
import { dividendDraftCondition } from '../dividend-draft-condition.ts'
import { dividendCreatePath } from '../links.ts'

export const dividendCreateRoute = defineRoute({
  path: dividendCreatePath('$operation'),
  title: '分配金調整の登録',
  allow: { action: 'write:create', resource: 'insight:dividend.' },
  condition: dividendDraftCondition,
  view: () => import('./dividend-create-view.tsx').then(module => module.DividendCreateView),
})
