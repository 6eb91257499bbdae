import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { accessExplanationCondition } from '../access-explanation-condition.ts'
import { ACCESS_EXPLANATION_PATH } from '../links.ts'

/** Has no query of its own: there is nothing to explain before a user is chosen. */
export const accessExplanationRoute = defineRoute({
  path: ACCESS_EXPLANATION_PATH,
  title: 'アクセスの説明',
  help: 'admin-guide.html#6-1-招待とロール',
  allow: { action: 'read:list', resource: 'iam:user.' },
  condition: accessExplanationCondition,
  view: () => import('./access-explanation-view.tsx').then(module => module.AccessExplanationView),
})
