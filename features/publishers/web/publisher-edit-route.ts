import { defineRoute } from '@pc/ui/define-route.ts'
import { publisherEditPath } from '../links.ts'
import { PublisherEditDocument } from './publisher-edit.gen.ts'
import { publisherRights } from './publisher-rights.ts'

export const publisherEditRoute = defineRoute({
  path: publisherEditPath('$id'),
  title: 'パブリッシャーの編集',
  allow: { action: 'read:show', resource: 'insight:publisher.' },
  query: {
    document: PublisherEditDocument,
    variables: (_condition: object, { ids, viewer }) => ({ id: ids.id ?? '', ...publisherRights(viewer).shown }),
  },
  view: () => import('./publisher-edit-view.tsx').then(module => module.PublisherEditView),
})
