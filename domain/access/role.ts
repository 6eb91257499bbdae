/** Every role, also those of the other services that share the accounts. */
export const ROLES = [
  'admin',
  'iam:admin',
  'iam:viewer',
  'insight:admin',
  'insight:editor',
  'insight:viewer',
  'insight:publisher_admin',
  'insight:publisher_editor',
  'coupon:admin',
  'coupon:editor',
  'coupon:brand_admin',
  'video:admin',
  'video:publisher_admin',
  'article:admin',
  'article:publisher_admin',
] as const
export type Role = (typeof ROLES)[number]

/** The roles of the platform's own staff; the others belong to publishers or to other services. */
const STAFF_ROLES: readonly Role[] = ['admin', 'insight:admin', 'insight:editor', 'insight:viewer']

export function isStaff(roles: readonly string[]): boolean {
  return roles.some(role => STAFF_ROLES.some(staff => staff === role))
}
