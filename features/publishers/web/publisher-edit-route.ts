import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { publisherEditPath } from '../links.ts'
import { publisherTitle } from './publisher-title.ts'

export const publisherEditRoute = defineRoute({
  path: publisherEditPath('$id'),
  title: 'パブリッシャーの編集',
  titleFor: publisherTitle,
  allow: { action: 'read:show', resource: 'insight:publisher.' },
  query: () => import('./publisher-edit-query.ts').then(module => module.publisherEditQuery),
  view: () => import('./publisher-edit-view.tsx').then(module => module.PublisherEditView),
})
