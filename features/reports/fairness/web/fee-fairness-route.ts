import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { fairnessCondition } from '../../fairness-condition.ts'
import { FEE_FAIRNESS_PATH } from '../../links.ts'

export const feeFairnessRoute = defineRoute({
  path: FEE_FAIRNESS_PATH,
  title: '対価の比較',
  allow: { action: 'read:list', resource: 'insight:payment_rate.' },
  condition: fairnessCondition,
  query: () => import('./fee-fairness-query.ts').then(module => module.feeFairnessQuery),
  view: () => import('./fee-fairness-view.tsx').then(module => module.FeeFairnessView),
})
