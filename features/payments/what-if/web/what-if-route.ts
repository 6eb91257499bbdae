import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { WHAT_IF_PATH } from '../../links.ts'
import { whatIfCondition } from '../../what-if-condition.ts'

export const whatIfRoute = defineRoute({
  path: WHAT_IF_PATH,
  title: '試算',
  help: 'admin-guide.html#試算',
  allow: { action: 'write:create', resource: 'insight:dividend.' },
  condition: whatIfCondition,
  view: () => import('./what-if-view.tsx').then(module => module.WhatIfView),
})
