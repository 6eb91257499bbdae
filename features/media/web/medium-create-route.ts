import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { MEDIUM_CREATE_PATH } from '../links.ts'

export const mediumCreateRoute = defineRoute({
  path: MEDIUM_CREATE_PATH,
  title: '媒体の登録',
  allow: { action: 'write:create', resource: 'insight:medium.' },
  view: () => import('./medium-create-view.tsx').then(module => module.MediumCreateView),
})
