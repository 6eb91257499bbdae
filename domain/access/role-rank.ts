import { ROLES, type Role } from './role.ts'

/** Roles that a publisher's own administrator may give: those of a publisher. */
export function isPublisherRole(role: Role): boolean {
  return role.startsWith('insight:publisher_')
}

/**
 * The roles that somebody may give and take away, so that nobody rises above the own rank or lifts others there: the
 * global administrator all of them, the user administrator all but the global administrator's, a publisher's
 * administrator the roles of a publisher. Nobody else any.
 */
export function rolesGivenBy(roles: readonly Role[]): readonly Role[] {
  if (roles.includes('admin')) return ROLES
  if (roles.includes('iam:admin')) return ROLES.filter(role => role !== 'admin')
  if (roles.includes('insight:publisher_admin')) return ROLES.filter(isPublisherRole)
  return []
}

/** Whether somebody may change, disable or delete a person who has these roles: never one of a higher rank. */
export function mayManage(actorRoles: readonly Role[], targetRoles: readonly Role[]): boolean {
  const given = rolesGivenBy(actorRoles)
  return given.length > 0 && targetRoles.every(role => given.includes(role))
}

/** Whom staff may see the system as: people of publishers, and only when nothing else is among their roles. */
export function mayBeViewedAs(targetRoles: readonly Role[]): boolean {
  return targetRoles.length > 0 && targetRoles.every(isPublisherRole)
}
