import type { ResourceName } from './resource-name.ts'
import { ROLES, type Role } from './role.ts'
import { isOfPublisher } from './role-duties.ts'
import { GRANTS_OF_ROLE, type Grant, grantsFor } from './role-policies.ts'

/** Roles that a publisher's own administrator may give: those of a publisher. */
export function isPublisherRole(role: Role): boolean {
  return isOfPublisher([role])
}

/** A person who may write one of these can send money elsewhere, or decide how much it is. */
const MONEY_RESOURCES: readonly ResourceName[] = [
  'insight:bank_account.',
  'insight:agreement_bank_account.',
  'insight:dividend.',
  'insight:monthly_payment.',
  'insight:opening_balance.',
  'insight:payment_rate.',
  'insight:statement.',
]

/** Roles that move money, by the table of policies. Nobody gives them to oneself. */
export const MONEY_ROLES: readonly Role[] = ROLES.filter(role =>
  GRANTS_OF_ROLE.get(role)?.some(
    ({ resource, actions }) =>
      MONEY_RESOURCES.includes(resource) && actions.some(action => action.startsWith('write:')),
  ),
)

/** Administrators are told when another person is given one of these: it administers people, or moves money. */
export const WATCHED_ROLES: readonly Role[] = ROLES.filter(
  role => role === 'admin' || role === 'iam:admin' || MONEY_ROLES.includes(role),
)

/**
 * The roles that somebody may give to others and take away, so that nobody rises above the own rank or lifts others there:
 * the global administrator all of them, those who may change roles all but the global administrator's, those who may only
 * change users (a publisher's administrator) the roles of a publisher. Nobody else any.
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
 * The roles that somebody may also take: those that one of their roles gives and that may do nothing which it may not. The
 * global administrator can do everything, the user administrator what a reader of users can, a publisher's administrator
 * what its editor can.
 */
export function rolesTakenBy(roles: readonly Role[]): readonly Role[] {
  const covers = (own: Role, role: Role) => rolesGivenBy([own]).includes(role) && mayAllThat(own, role)
  return rolesGivenBy(roles).filter(role => roles.includes(role) || roles.some(own => covers(own, role)))
}

function mayAllThat(own: Role, role: Role): boolean {
  const grants = grantsFor([own])
  return grantsFor([role]).every(grant => grants.some(wider => isWithin(grant, wider)))
}

/** An own agreement and the own user are of the own organisation. */
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

/** Whether somebody may change, disable or delete a person who has these roles: never one of a higher rank. */
export function mayManage(actorRoles: readonly Role[], targetRoles: readonly Role[]): boolean {
  const given = rolesGivenBy(actorRoles)
  return given.length > 0 && targetRoles.every(role => given.includes(role))
}

/** Whom staff may see the system as: people of publishers, and only when nothing else is among their roles. */
export function mayBeImpersonated(targetRoles: readonly Role[]): boolean {
  return targetRoles.length > 0 && targetRoles.every(isPublisherRole)
}
