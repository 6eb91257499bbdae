import type { Role } from './role.ts'

/** The roles of the platform's own staff; the others belong to publishers or to other services. */
const STAFF_ROLES: readonly string[] = [
  'admin',
  'insight:admin',
  'insight:editor',
  'insight:viewer',
] satisfies readonly Role[]

export function isStaff(roles: readonly string[]): boolean {
  return roles.some(role => STAFF_ROLES.includes(role))
}
