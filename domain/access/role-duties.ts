import { ROLES, type Role } from './role.ts'

type Side = 'staff' | 'publisher' | 'other service'
type Duty =
  /** Announcements and boards can be addressed to the role. */
  | 'reads'
  /** Looks after publishers: gets questions, objections, renewals and breaches of the law. */
  | 'answers'
  /** Decides for the platform or for an organisation: gets notices of accounts, statements and failures. */
  | 'administers'

/** Whose role it is, and what its people are addressed for; a new role declares both. What it may do is in the policies. */
const ROLE_DUTIES: Readonly<Record<Role, readonly [Side, ...Duty[]]>> = {
  admin: ['staff'],
  'iam:admin': ['other service'],
  'iam:viewer': ['other service'],
  'insight:admin': ['staff', 'reads', 'answers', 'administers'],
  'insight:editor': ['staff', 'reads', 'answers'],
  'insight:viewer': ['staff', 'reads'],
  'insight:publisher_admin': ['publisher', 'reads', 'administers'],
  'insight:publisher_editor': ['publisher', 'reads'],
  'coupon:admin': ['other service'],
  'coupon:editor': ['other service'],
  'coupon:brand_admin': ['other service'],
  'video:admin': ['other service'],
  'video:publisher_admin': ['other service'],
  'article:admin': ['other service'],
  'article:publisher_admin': ['other service'],
}

/** The roles of one side, all of them or those with a duty. */
export function rolesOf(side: Side, duty?: Duty): readonly Role[] {
  return ROLES.filter(role => {
    const [own, ...duties] = ROLE_DUTIES[role]
    return own === side && (duty === undefined || duties.includes(duty))
  })
}

const STAFF_ROLES: readonly string[] = rolesOf('staff')
const PUBLISHER_ROLES: readonly string[] = rolesOf('publisher')

/** The platform's own staff; the others belong to publishers or to other services. */
export function isStaff(roles: readonly string[]): boolean {
  return roles.some(role => STAFF_ROLES.includes(role))
}

/** The publishers' own people. */
export function isOfPublisher(roles: readonly string[]): boolean {
  return roles.some(role => PUBLISHER_ROLES.includes(role))
}
