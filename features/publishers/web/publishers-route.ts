import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PUBLISHERS_PATH } from '../links.ts'
import { publisherCondition } from '../publisher-condition.ts'

export const publishersRoute = defineRoute({
  path: PUBLISHERS_PATH,
  title: 'パブリッシャー',
  help: { staff: 'admin-guide.html#3-3-パブリッシャーとフィード', publisher: 'publisher-guide.html' },
  allow: { action: 'read:list', resource: 'insight:publisher.' },
  condition: publisherCondition,
  query: () => import('./publishers-query.ts').then(module => module.publishersQuery),
  view: () => import('./publishers-view.tsx').then(module => module.PublishersView),
})
