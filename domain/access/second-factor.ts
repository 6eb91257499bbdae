import type { Role } from './role.ts'
import { WATCHED_ROLES } from './role-rank.ts'

/**
 * The roles whose people sign in with a second factor where the installation requires it: they move money or administer people,
 * for which a stolen password alone must not be enough.
 */
export const SECOND_FACTOR_ROLES: readonly Role[] = WATCHED_ROLES

export const MAX_GRACE_DAYS = 90
