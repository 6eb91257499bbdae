import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { AGREEMENT_CREATE_PATH } from '../links.ts'

export const agreementCreateRoute = defineRoute({
  path: AGREEMENT_CREATE_PATH,
  title: '契約の登録',
  allow: { action: 'write:create', resource: 'insight:agreement.' },
  view: () => import('./agreement-create-view.tsx').then(module => module.AgreementCreateView),
})
