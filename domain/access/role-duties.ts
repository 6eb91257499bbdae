import { DECLARED_ROLES, type DeclaredRole, type Duty, type Role, type Rows } from './role.ts'

/** Whose role it is: the platform's own staff, people of publishers, or people of another service. */
type Side = 'staff' | 'publisher' | 'other service'

const DECLARED: readonly DeclaredRole<Role>[] = DECLARED_ROLES

function sideOf({ rows }: DeclaredRole): Side {
  if (rows === undefined) return 'other service'
  return rows === 'all' ? 'staff' : 'publisher'
}

/** The roles of one side, all of them or those with a duty. */
export function rolesOf(side: Side, duty?: Duty): readonly Role[] {
  return DECLARED.filter(
    role => sideOf(role) === side && (duty === undefined || role.duties?.includes(duty) === true),
  ).map(role => role.name)
}

/** The roles that see these rows of insight data. */
export function rolesSeeing(rows: Rows): readonly Role[] {
  return DECLARED.filter(role => role.rows === rows).map(role => role.name)
}

/** Whether one of the roles sees these rows of insight data; an unknown role sees none. */
export function seesRows(roles: readonly string[], rows: Rows): boolean {
  return rolesSeeing(rows).some(role => roles.includes(role))
}

/** The platform's own staff; the others belong to publishers or to other services. */
export function isStaff(roles: readonly string[]): boolean {
  return seesRows(roles, 'all')
}

/** The publishers' own people. */
export function isOfPublisher(roles: readonly string[]): boolean {
  return seesRows(roles, 'organization') || seesRows(roles, 'agreements')
}

/** Every role as the table `roles` keeps it: the policies of PostgreSQL ask for the side instead of naming roles. */
export function roleRows(): { readonly name: Role; readonly side: Side }[] {
  return DECLARED.map(role => ({ name: role.name, side: sideOf(role) }))
}
