/** What people with a role receive, beside what they may do. */
export type Duty =
  /** Announcements and boards can be addressed to the role. */
  | 'reads'
  /** Looks after publishers: receives questions, objections, renewals and breaches of the law. */
  | 'answers'
  /** Decides for the platform or an organisation: receives notices about accounts, statements and failures. */
  | 'administers'

/**
 * The rows of insight data that a role sees. `all`: staff. `organization`: a publisher's people, the own organisation.
 * `agreements`: a publisher's people, the agreements that the person is assigned to. A role without rows belongs to
 * another service and sees none.
 */
export type Rows = 'all' | 'organization' | 'agreements'

export interface DeclaredRole<Name extends string = string> {
  readonly name: Name
  readonly rows?: Rows
  readonly duties?: readonly Duty[]
}

/**
 * Every role, including those of the other services that share the accounts. `role-policies.ts` says what a role may
 * do, `role-labels.ja.ts` what it is called. Ranks, menus, first screens and the rows of PostgreSQL follow from the
 * three.
 */
export const DECLARED_ROLES = [
  { name: 'admin', rows: 'all' },
  { name: 'iam:admin' },
  { name: 'iam:viewer' },
  { name: 'insight:admin', rows: 'all', duties: ['reads', 'answers', 'administers'] },
  { name: 'insight:editor', rows: 'all', duties: ['reads', 'answers'] },
  { name: 'insight:viewer', rows: 'all', duties: ['reads'] },
  { name: 'insight:publisher_admin', rows: 'organization', duties: ['reads', 'administers'] },
  { name: 'insight:publisher_editor', rows: 'agreements', duties: ['reads'] },
  { name: 'coupon:admin' },
  { name: 'coupon:editor' },
  { name: 'coupon:brand_admin' },
  { name: 'video:admin' },
  { name: 'video:publisher_admin' },
  { name: 'article:admin' },
  { name: 'article:publisher_admin' },
] as const satisfies readonly DeclaredRole[]
export type Role = (typeof DECLARED_ROLES)[number]['name']

export const ROLES: readonly Role[] = DECLARED_ROLES.map(role => role.name)
