import type { Role } from './role.ts'
import { WATCHED_ROLES } from './role-rank.ts'

/**
 * Roles that must sign in with a second factor where the installation requires it. They move money or administer
 * people, so a stolen password alone must not be enough.
 * Tested by `domain/access/user-changes.test.ts`.
 */
export const SECOND_FACTOR_ROLES: readonly Role[] = WATCHED_ROLES

/** Days that an installation may give people to register a second factor. */
export const MAX_GRACE_DAYS = 90
