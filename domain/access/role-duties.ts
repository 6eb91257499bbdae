import { DECLARED_ROLES, type DeclaredRole, type Duty, type Role, type Rows } from './role.ts'

/** `staff`: the platform's own people. `publisher`: people of publishers. `other service`: no insight data. */
type Side = 'staff' | 'publisher' | 'other service'

const DECLARED: readonly DeclaredRole<Role>[] = DECLARED_ROLES

function sideOf({ rows }: DeclaredRole): Side {
  if (rows === undefined) return 'other service'
  return rows === 'all' ? 'staff' : 'publisher'
}

/** The roles of one side; with `duty`, only those that have it. */
export function rolesOf(side: Side, duty?: Duty): readonly Role[] {
  return DECLARED.filter(
    role => sideOf(role) === side && (duty === undefined || role.duties?.includes(duty) === true),
  ).map(role => role.name)
}

/** The roles that see these rows of insight data. */
export function rolesSeeing(rows: Rows): readonly Role[] {
  return DECLARED.filter(role => role.rows === rows).map(role => role.name)
}

/** Whether one of the roles sees these rows of insight data. Unknown roles see none. */
export function seesRows(roles: readonly string[], rows: Rows): boolean {
  return rolesSeeing(rows).some(role => roles.includes(role))
}

/** Whether one of the roles belongs to the platform's own staff. */
export function isStaff(roles: readonly string[]): boolean {
  return seesRows(roles, 'all')
}

/** Whether one of the roles belongs to a publisher's own people. */
export function isOfPublisher(roles: readonly string[]): boolean {
  return seesRows(roles, 'organization') || seesRows(roles, 'agreements')
}

/**
 * Every role with its side, as the table `roles` stores it: the policies of PostgreSQL compare the side instead of
 * naming roles.
 */
export function roleRows(): { readonly name: Role; readonly side: Side }[] {
  return DECLARED.map(role => ({ name: role.name, side: sideOf(role) }))
}
