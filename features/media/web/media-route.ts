import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { MEDIA_PATH } from '../links.ts'
import { mediumCondition } from '../medium-condition.ts'

export const mediaRoute = defineRoute({
  path: MEDIA_PATH,
  title: '媒体',
  help: 'admin-guide.html#3-1-媒体',
  allow: { action: 'read:list', resource: 'insight:medium.' },
  condition: mediumCondition,
  query: () => import('./media-query.ts').then(module => module.mediaQuery),
  view: () => import('./media-view.tsx').then(module => module.MediaView),
})
