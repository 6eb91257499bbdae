import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { ROLES_PATH } from '../links.ts'
import { type RoleCondition, roleCondition } from '../role-condition.ts'
import { RolesDocument } from './roles-iam.gen.ts'

export const rolesRoute = defineRoute({
  path: ROLES_PATH,
  title: 'ロール',
  help: 'admin-guide.html#1-1-ロールとできること',
  allow: { action: 'read:list', resource: 'iam:user_role.' },
  condition: roleCondition,
  query: { document: RolesDocument, api: 'iam', variables: ({ role }: RoleCondition) => ({ role }) },
  view: () => import('./roles-view.tsx').then(module => module.RolesView),
})
