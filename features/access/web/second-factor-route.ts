import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { SECOND_FACTOR_PATH } from '../links.ts'
import { SecondFactorRuleDocument } from './second-factor-iam.gen.ts'

export const secondFactorRoute = defineRoute({
  path: SECOND_FACTOR_PATH,
  title: '2段階認証',
  help: 'admin-guide.html#6-2-本人確認と2段階認証',
  allow: { action: 'write:update', resource: 'iam:user_role.' },
  query: { document: SecondFactorRuleDocument, api: 'iam', variables: () => ({}) },
  view: () => import('./second-factor-rule-view.tsx').then(module => module.SecondFactorRuleView),
})
