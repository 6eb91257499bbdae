import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { mediumEditPath } from '../links.ts'
import { mediumTitle } from './medium-title.ts'

export const mediumEditRoute = defineRoute({
  path: mediumEditPath('$id'),
  title: '媒体の編集',
  titleFor: mediumTitle,
  allow: { action: 'read:show', resource: 'insight:medium.' },
  query: () => import('./media-query.ts').then(module => module.mediumEditQuery),
  view: () => import('./medium-edit-view.tsx').then(module => module.MediumEditView),
})
