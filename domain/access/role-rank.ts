import type { ResourceName } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
import { isOfPublisher } from './role-duties.ts'
import { GRANTS_OF_ROLE, type Grant, grantsFor } from './role-policies.ts'

/** Whether a publisher's own administrator may give the role. */
export function isPublisherRole(role: Role): boolean {
  return isOfPublisher([role])
}

/** Resources whose writers can send money elsewhere or decide how much it is. */
const MONEY_RESOURCES: readonly ResourceName[] = [
  'insight:bank_account.',
  'insight:agreement_bank_account.',
  'insight:dividend.',
  'insight:monthly_payment.',
  'insight:opening_balance.',
  'insight:payment_rate.',
  'insight:statement.',
]

/** Roles that move money, derived from the policies. Nobody may give one to themselves. */
export const MONEY_ROLES: readonly Role[] = ROLES.filter(role =>
  GRANTS_OF_ROLE.get(role)?.some(
    ({ resource, actions }) =>
      MONEY_RESOURCES.includes(resource) && actions.some(action => action.startsWith('write:')),
  ),
)

/** Roles that administer people or move money. Administrators are notified when another person is given one. */
export const WATCHED_ROLES: readonly Role[] = ROLES.filter(
  role => role === 'admin' || role === 'iam:admin' || MONEY_ROLES.includes(role),
)

/**
 * The roles that a person may give to others and take away, so that nobody can rise above their own rank or lift others
 * there.
 * - `admin` gives every role.
 * - With the right to change roles: every role but `admin`.
 * - With the right to change users only (a publisher's administrator): the roles of publishers.
 * - Anybody else: none.
 * Tested by `domain/access/user-changes.test.ts`.
 */
export function rolesGivenBy(roles: readonly Role[]): readonly Role[] {
  const mayChange = (resource: ResourceName) =>
    grantsFor(roles).some(grant => grant.resource === resource && grant.actions.includes('write:update'))
  if (roles.includes('admin')) return ROLES
  if (mayChange('iam:user_role.')) return ROLES.filter(role => role !== 'admin')
  if (mayChange('iam:user.')) return ROLES.filter(isPublisherRole)
  return []
}

/**
 * The roles that a person may give to themselves: those that one of their roles gives and that allow nothing beyond
 * that role. For example, the user administrator may take the role of a user viewer.
 */
export function rolesTakenBy(roles: readonly Role[]): readonly Role[] {
  const covers = (own: Role, role: Role) => rolesGivenBy([own]).includes(role) && mayAllThat(own, role)
  return rolesGivenBy(roles).filter(role => roles.includes(role) || roles.some(own => covers(own, role)))
}

function mayAllThat(own: Role, role: Role): boolean {
  const grants = grantsFor([own])
  return grantsFor([role]).every(grant => grants.some(wider => isWithin(grant, wider)))
}

/** Whether `wider` covers every row of `grant`. An own agreement and the own user belong to the own organisation. */
function isWithin(grant: Grant, wider: Grant): boolean {
  const { conditions } = grant
  const isOwn = conditions.includes('own-agreements') || conditions.includes('own-user')
  return (
    wider.resource === grant.resource &&
    grant.actions.every(action => wider.actions.includes(action)) &&
    wider.conditions.every(one => conditions.includes(one) || (one === 'own-organization' && isOwn)) &&
    (grant.isMasked || !wider.isMasked)
  )
}

/** Whether a person may change, disable or delete somebody with these roles: never somebody of a higher rank. */
export function mayManage(actorRoles: readonly Role[], targetRoles: readonly Role[]): boolean {
  const given = rolesGivenBy(actorRoles)
  return given.length > 0 && targetRoles.every(role => given.includes(role))
}

/** Whether staff may impersonate somebody with these roles: only people whose roles are all a publisher's. */
export function mayBeImpersonated(targetRoles: readonly Role[]): boolean {
  return targetRoles.length > 0 && targetRoles.every(isPublisherRole)
}
