import { accessExplanationRoute } from '@pc/features/access/web/access-explanation-route.ts'
import { auditLogRoute } from '@pc/features/access/web/audit-log-route.ts'
import { organizationCreateRoute } from '@pc/features/access/web/organization-create-route.ts'
import { organizationEditRoute } from '@pc/features/access/web/organization-edit-route.ts'
import { organizationsRoute } from '@pc/features/access/web/organizations-route.ts'
import { rolesRoute } from '@pc/features/access/web/roles-route.ts'
import { secondFactorRoute } from '@pc/features/access/web/second-factor-route.ts'
import { USERS_PATH } from '@pc/features/users/links.ts'
import { invitationsRoute } from '@pc/features/users/web/invitations-route.ts'
import { userEditRoute } from '@pc/features/users/web/user-edit-route.ts'
import { userInviteRoute } from '@pc/features/users/web/user-invite-route.ts'
import { usersRoute } from '@pc/features/users/web/users-route.ts'
import type { Screen } from '@pc/ui/routing/define-route.ts'

/** Every screen of the application. */
export const SCREENS: readonly Screen[] = [
  usersRoute,
  userInviteRoute,
  userEditRoute,
  invitationsRoute,
  organizationsRoute,
  organizationCreateRoute,
  organizationEditRoute,
  rolesRoute,
  secondFactorRoute,
  accessExplanationRoute,
  auditLogRoute,
]

export const HOME = USERS_PATH
