import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { REGISTRATIONS_PATH } from '../../links.ts'

export const registrationsRoute = defineRoute({
  path: REGISTRATIONS_PATH,
  title: '登録番号の確認',
  help: 'admin-guide.html#登録番号の確認',
  allow: { action: 'read:list', resource: 'insight:dividend.' },
  query: () => import('./registrations-query.ts').then(module => module.registrationsQuery),
  view: () => import('./registrations-view.tsx').then(module => module.RegistrationsView),
})
