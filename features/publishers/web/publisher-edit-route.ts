import { defineRoute } from '@pc/ui/define-route.ts'
import { publisherEditPath } from '../links.ts'

export const publisherEditRoute = defineRoute({
  path: publisherEditPath('$id'),
  title: 'パブリッシャーの編集',
  allow: { action: 'read:show', resource: 'insight:publisher.' },
  query: () => import('./publisher-edit-query.ts').then(module => module.publisherEditQuery),
  view: () => import('./publisher-edit-view.tsx').then(module => module.PublisherEditView),
})
