import { type Refusal, refusal } from '../refusal.ts'
import type { Role } from './role.ts'
import { isPublisherRole, MONEY_ROLES, mayManage, rolesGivenBy, rolesTakenBy } from './role-rank.ts'

/** What the rules about changing people look at. */
export interface Person {
  readonly uid: string
  readonly roles: readonly Role[]
  readonly organizationId: bigint | null
  readonly enabled: boolean
}

export type UserRefusal = Refusal<
  | 'user/rank-too-high'
  | 'user/role-not-allowed'
  | 'user/role-needs-organization'
  | 'user/roles-required'
  | 'user/last-administrator'
  | 'user/last-organization-administrator'
  | 'user/not-oneself'
  | 'user/own-money-role'
>

/**
 * How many other people could take over. They are counted under a lock, taken by every change for which {@link
 * endsAdministration} is true. Somebody invited who has not accepted yet does not count.
 */
export interface OtherAdministrators {
  /** Enabled users with the role `admin`, without the person in question. */
  readonly ofSystem: number
  /** Enabled administrators of the person's organisation, without the person. */
  readonly ofOrganization: number
}

/** Checks the roles that a person is to be given. Roles that the person already has (`had`) may stay. */
export function refuseRoles(
  actor: Pick<Person, 'roles'>,
  wanted: readonly Role[],
  organizationId: bigint | null,
  path: readonly string[] = ['roles'],
  had: readonly Role[] = [],
): UserRefusal | undefined {
  if (wanted.length === 0) return refusal('user/roles-required', path)
  const given = rolesGivenBy(actor.roles)
  const foreign = wanted.find(role => !given.includes(role) && !had.includes(role))
  if (foreign !== undefined) return refusal('user/role-not-allowed', path, { role: foreign })
  if (organizationId === null && wanted.some(isPublisherRole)) return refusal('user/role-needs-organization', path)
  return undefined
}

type Next = Pick<Person, 'roles' | 'enabled'> | undefined
function losesRole(role: Role, target: Person, next: Next): boolean {
  return target.enabled && target.roles.includes(role) && !(next?.enabled === true && next.roles.includes(role))
}

/** Whether {@link refuseChange} depends on who else could take over. */
export function endsAdministration(actor: Pick<Person, 'uid'>, target: Person, next: Next): boolean {
  return (
    losesRole('admin', target, next) || (actor.uid === target.uid && losesRole('insight:publisher_admin', target, next))
  )
}

/**
 * Whether `actor` may turn `target` into `next` (undefined: delete). Nobody changes a person of a higher rank, disables
 * or deletes themselves, or takes a role that moves money or is not theirs to take ({@link rolesTakenBy}). The last
 * administrator of the system remains one, and the last one of an organisation cannot give up its administration.
 */
export function refuseChange(
  actor: Person,
  target: Person,
  next: Next,
  others: OtherAdministrators,
): UserRefusal | undefined {
  const isOneself = actor.uid === target.uid
  if (!mayManage(actor.roles, target.roles)) return refusal('user/rank-too-high')
  if (losesRole('admin', target, next) && others.ofSystem === 0) return refusal('user/last-administrator')
  if (isOneself && losesRole('insight:publisher_admin', target, next) && others.ofOrganization === 0)
    return refusal('user/last-organization-administrator')
  if (isOneself && next?.enabled !== true) return refusal('user/not-oneself')
  const given = rolesGivenBy(actor.roles)
  const own = next?.roles.find(
    role => MONEY_ROLES.includes(role) && given.includes(role) && !target.roles.includes(role),
  )
  if (isOneself && own !== undefined) return refusal('user/own-money-role', ['roles'], { role: own })
  const taken = rolesTakenBy(actor.roles)
  const foreign = next?.roles.find(role => !taken.includes(role) && !target.roles.includes(role))
  if (isOneself && foreign !== undefined) return refusal('user/role-not-allowed', ['roles'], { role: foreign })
  return undefined
}
