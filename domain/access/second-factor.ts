import type { GranularAction } from './action.ts'
import type { ResourceName } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
import { GRANTS_OF_ROLE } from './role-policies.ts'

/** What moves money or manages accounts: a stolen password alone must not be enough for it. */
const POWERS: readonly (readonly [GranularAction, ResourceName])[] = [
  ['write:update', 'insight:dividend.'],
  ['write:update', 'insight:monthly_payment.'],
  ['write:create', 'insight:bank_account.'],
  ['write:update', 'insight:payment_rate.'],
  ['write:update', 'iam:user.'],
  ['write:update', 'iam:user_role.'],
]

/** The roles whose people sign in with a second factor where the installation requires it. */
export const SECOND_FACTOR_ROLES: readonly Role[] = ROLES.filter(role =>
  GRANTS_OF_ROLE.get(role)?.some(grant =>
    POWERS.some(([action, resource]) => grant.resource === resource && grant.actions.includes(action)),
  ),
)

export const MAX_GRACE_DAYS = 90
