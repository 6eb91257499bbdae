import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { agreementEditPath } from '../links.ts'
import { agreementTitle } from './agreement-title.ts'

export const agreementEditRoute = defineRoute({
  path: agreementEditPath('$id'),
  title: '契約の編集',
  titleFor: agreementTitle,
  allow: { action: 'read:show', resource: 'insight:agreement.' },
  query: () => import('./agreement-edit-query.ts').then(module => module.agreementEditQuery),
  view: () => import('./agreement-edit-view.tsx').then(module => module.AgreementEditView),
})
