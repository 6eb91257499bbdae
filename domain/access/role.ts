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
