import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { ORGANIZATION_CREATE_PATH } from '../links.ts'

export const organizationCreateRoute = defineRoute({
  path: ORGANIZATION_CREATE_PATH,
  title: '組織の登録',
  allow: { action: 'write:create', resource: 'iam:org.' },
  view: () => import('./organization-create-view.tsx').then(module => module.OrganizationCreateView),
})
