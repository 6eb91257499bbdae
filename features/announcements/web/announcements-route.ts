import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { ANNOUNCEMENT_CREATE_PATH, ANNOUNCEMENTS_PATH, announcementEditPath, announcementPath } from '../links.ts'

export const announcementsRoute = defineRoute({
  path: ANNOUNCEMENTS_PATH,
  title: 'お知らせ',
  help: { staff: 'admin-guide.html#5-お知らせ', publisher: 'index.html' },
  allow: { action: 'read:list', resource: 'insight:announcement.' },
  view: () => import('./announcements-view.tsx').then(module => module.AnnouncementsView),
})

export const announcementCreateRoute = defineRoute({
  path: ANNOUNCEMENT_CREATE_PATH,
  title: 'お知らせの作成',
  allow: { action: 'write:create', resource: 'insight:announcement.' },
  view: () => import('./announcement-create-view.tsx').then(module => module.AnnouncementCreateView),
})

export const announcementEditRoute = defineRoute({
  path: announcementEditPath('$id'),
  title: 'お知らせの編集',
  allow: { action: 'write:update', resource: 'insight:announcement.' },
  query: () => import('./announcement-query.ts').then(module => module.announcementQuery),
  view: () => import('./announcement-edit-view.tsx').then(module => module.AnnouncementEditView),
})

export const announcementRoute = defineRoute({
  path: announcementPath('$id'),
  title: 'お知らせ',
  allow: { action: 'read:show', resource: 'insight:announcement.' },
  query: () => import('./announcement-query.ts').then(module => module.announcementQuery),
  view: () => import('./announcement-view.tsx').then(module => module.AnnouncementView),
})
