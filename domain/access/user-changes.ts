import { type Refusal, refusal } from '../refusal.ts'
import type { Role } from './role.ts'
import { isPublisherRole, MONEY_ROLES, mayManage, rolesGivenBy, rolesTakenBy } from './role-rank.ts'

/** A person as far as the rules about changing people ask. */
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
 * How many others could take over; counted under a lock that changes which {@link endsAdministration} take. Who was only
 * invited and has not accepted could not.
 */
export interface OtherAdministrators {
  /** Enabled users with the role `admin`, without the person in question. */
  readonly ofSystem: number
  /** Enabled administrators of the person's organisation, without the person. */
  readonly ofOrganization: number
}

/** Checks roles to be given to a person. Roles that the person has already (`had`) may stay. */
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
function ends(role: Role, target: Person, next: Next): boolean {
  return target.enabled && target.roles.includes(role) && !(next?.enabled === true && next.roles.includes(role))
}

/** Whether {@link refuseChange} depends on who else could take over. */
export function endsAdministration(actor: Pick<Person, 'uid'>, target: Person, next: Next): boolean {
  return ends('admin', target, next) || (actor.uid === target.uid && ends('insight:publisher_admin', target, next))
}

/**
 * Whether `actor` may turn `target` into `next` (undefined: deleted). Nobody touches a higher rank; nobody disables or
 * deletes oneself, or takes a role that moves money or that they do not hold; the last administrator of the system stays one, a person who asks; the last one of an organisation
 * cannot end the own administration.
 */
export function refuseChange(
  actor: Person,
  target: Person,
  next: Next,
  others: OtherAdministrators,
): UserRefusal | undefined {
  const isOneself = actor.uid === target.uid
  if (!mayManage(actor.roles, target.roles)) return refusal('user/rank-too-high')
  if (ends('admin', target, next) && others.ofSystem === 0) return refusal('user/last-administrator')
  if (isOneself && ends('insight:publisher_admin', target, next) && others.ofOrganization === 0)
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
