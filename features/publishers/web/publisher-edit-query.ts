import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { PublisherEditDocument } from './publisher-edit.gen.ts'
import { publisherRights } from './publisher-rights.ts'

export const publisherEditQuery = {
  document: PublisherEditDocument,
  variables: (_condition: object, { ids, viewer }: ScreenContext) => ({
    id: ids.id ?? '',
    ...publisherRights(viewer).shown,
  }),
}
