import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { AnnouncementDetailDocument } from './announcements.gen.ts'

export const announcementQuery = {
  document: AnnouncementDetailDocument,
  variables: (_condition: object, { ids, viewer }: ScreenContext) => ({
    id: ids.id ?? '',
    isStaff: viewer.can('write:update', 'insight:announcement.'),
  }),
}
