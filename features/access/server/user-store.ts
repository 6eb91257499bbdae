import type { AccountChangeKind } from '@pc/domain/access/account-change.ts'
import type { Permit } from '@pc/domain/access/decide.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

export interface UserRow {
  readonly uid: string
  readonly email: string
  readonly photoUrl: string | null
  readonly enabled: boolean
  readonly roles: readonly Role[]
  readonly organization: { readonly id: bigint; readonly name: string } | null
  /** Agreements that a publisher's editor is assigned to. */
  readonly agreementIds: readonly bigint[]
  /** An invitation that has not been accepted yet; null when there is none. */
  readonly invitation: { readonly invitedAt: Date; readonly expiresAt: Date } | null
  /** The person signs in at an external issuer, which also keeps the address. */
  readonly isBoundElsewhere: boolean
  /** A requested change of this account that is not confirmed yet. */
  readonly pendingChange: PendingChange | null
  readonly createdAt: Date
}

export interface PendingChange {
  readonly id: string
  readonly kind: AccountChangeKind
  readonly newEmail: string | null
  readonly requestedAt: string
  readonly expiresAt: string
  readonly requestedByUid: string
  /** Null: the reader may not see that user. */
  readonly requestedByEmail: string | null
}

export const USER_ORDERS = [...COMMON_LIST_ORDERS, 'EMAIL_ASC', 'EMAIL_DESC', 'ENABLED_ASC', 'ENABLED_DESC'] as const
export type UserOrder = (typeof USER_ORDERS)[number]

export const INVITATION_STATES = ['open', 'expired', 'none'] as const
export type InvitationState = (typeof INVITATION_STATES)[number]

export interface UserFilter {
  readonly uids?: readonly string[] | undefined
  readonly organizationId?: bigint | undefined
  readonly enabled?: boolean | undefined
  readonly role?: Role | undefined
  /** By whether the invitation is open (not accepted yet) and its link still valid. */
  readonly invitation?: InvitationState | undefined
  /** LIKE pattern with wildcards escaped, in the spelling of `normalizedEmail`. */
  readonly pattern?: string | undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUid(text: string): boolean {
  return UUID.test(text)
}

interface SelectedRow {
  readonly uid: string
  readonly email: string
  readonly photoUrl: string | null
  readonly enabled: boolean
  readonly roles: readonly string[]
  readonly organizationId: bigint | null
  readonly organizationName: string | null
  readonly agreementIds: readonly string[]
  readonly invitedAt: Date | null
  readonly invitationExpiresAt: Date | null
  readonly isBoundElsewhere: boolean
  readonly pendingChange: PendingChange | null
  readonly createdAt: Date
}

/**
 * Whether a person is invited and has never been here. Somebody invited to bind another account is excluded, as is
 * somebody with a completed account change: their address needs their consent.
 */
export const IS_INVITED = sql<boolean>`(i.uid is not null and i.accepted_at is null and u.oidc_subject is null
  and u.email_verified_at is null
  and not exists (select from account_changes d where d.uid = u.uid and d.state = 'done'))`
const IN_STATE: Readonly<Record<InvitationState, RawBuilder<boolean>>> = {
  open: sql<boolean>`${IS_INVITED} and i.expires_at > now()`,
  expired: sql<boolean>`${IS_INVITED} and i.expires_at <= now()`,
  none: sql<boolean>`not ${IS_INVITED}`,
}
/**
 * The columns of a user, for all queries in this file. Aliases: `u` user, `o` organisation, `i` invitation. Ids in arrays and
 * JSON are text, because JavaScript numbers are not exact for bigint.
 */
const COLUMNS = sql`u.uid::text as uid, u.email, u.photo_url, u.enabled, u.created_at, u.oidc_subject is not null as is_bound_elsewhere,
  array(select r.role_name from user_roles r where r.uid = u.uid) as roles,
  o.id as organization_id, o.name as organization_name,
  array(select a.agreement_id::text from user_agreements a where a.uid = u.uid order by a.agreement_id) as agreement_ids,
  case when ${IS_INVITED} then i.invited_at end as invited_at,
  case when ${IS_INVITED} then i.expires_at end as invitation_expires_at,
  (select json_build_object('id', c.id::text, 'kind', c.kind, 'newEmail', c.new_email, 'requestedAt', c.requested_at,
      'expiresAt', c.expires_at, 'requestedByUid', c.requested_by_uid,
      'requestedByEmail', (select a.email from users a where a.uid = c.requested_by_uid))
    from account_changes c where c.uid = u.uid and c.state = 'pending' and c.expires_at > now()) as pending_change`
const TABLES = sql`users u left join organizations o on o.id = u.organization_id left join invitations i on i.uid = u.uid`
/** The tables that filters of a list need; only the rows of the page need the others. */
export const FILTERED = sql`users u left join invitations i on i.uid = u.uid`

/**
 * A subquery that counts people with one of the roles who can sign in: neither disabled nor only invited.
 * @param atMost counting stops here
 */
export function peopleCount(roles: readonly Role[], atMost: number): RawBuilder<bigint> {
  return countOf(
    sql`${FILTERED} where u.enabled and not ${IS_INVITED}
      and exists (select from user_roles r where r.uid = u.uid and r.role_name = any (${[...roles]}::text[]))`,
    atMost,
  )
}

function userRow(row: SelectedRow): UserRow {
  const { organizationId, organizationName, invitedAt, invitationExpiresAt } = row
  return {
    uid: row.uid,
    email: row.email,
    photoUrl: row.photoUrl,
    enabled: row.enabled,
    roles: ROLES.filter(role => row.roles.includes(role)),
    organization:
      organizationId === null || organizationName === null ? null : { id: organizationId, name: organizationName },
    agreementIds: row.agreementIds.map(BigInt),
    invitation:
      invitedAt === null || invitationExpiresAt === null ? null : { invitedAt, expiresAt: invitationExpiresAt },
    isBoundElsewhere: row.isBoundElsewhere,
    pendingChange: row.pendingChange,
    createdAt: row.createdAt,
  }
}

/** A user within the rows of the permit; undefined for any other, whether it exists or not. */
export async function findUser(
  database: Database,
  uid: string,
  permit: Permit<'read:show', 'iam:user.'>,
): Promise<UserRow | undefined> {
  if (!isUid(uid)) return undefined
  return database.inScope(withOwnOrganization(permit), tx => readUser(tx, uid, permit))
}

/** Like {@link findUser}, within a running transaction that has the permit's scope. */
export async function readUser(tx: Transaction, uid: string, permit: Permit): Promise<UserRow | undefined> {
  const [user] = await readUsers(tx, [uid], permit)
  return user
}

/** Like {@link readUser} for several users, in no particular order. */
export async function readUsers(tx: Transaction, uids: readonly string[], permit: Permit): Promise<UserRow[]> {
  const found = await sql<SelectedRow>`select ${COLUMNS} from ${TABLES}
    where u.uid = any(${[...uids]}::uuid[]) and ${scopeCondition(permit)}`.execute(tx)
  return found.rows.map(userRow)
}

/** Like {@link lockUsers} for one user; undefined when the permit does not cover the user. */
export async function lockUser(tx: Transaction, uid: string, permit: Permit): Promise<UserRow | undefined> {
  const [user] = await lockUsers(tx, [uid], permit)
  return user
}

/**
 * Users of the permit, locked for a change, always in order of uid. FOR NO KEY UPDATE does not conflict with
 * references: the actor already holds one on the own row (the idempotency key), so two changes of oneself would
 * deadlock.
 */
export async function lockUsers(tx: Transaction, uids: readonly string[], permit: Permit): Promise<UserRow[]> {
  const known = uids.filter(isUid)
  if (known.length === 0) return []
  await sql`select 1 from users u where u.uid = any(${known}::uuid[]) and ${scopeCondition(permit)}
    order by u.uid for no key update`.execute(tx)
  return readUsers(tx, known, permit)
}

const ORDER_COLUMNS = {
  ID: sql`u.uid`,
  EMAIL: sql`u.email`,
  CREATEDAT: sql`u.created_at`,
  UPDATEDAT: sql`u.updated_at`,
  ENABLED: sql`u.enabled`,
} as const

/**
 * Users within the rows of the permit. Equal ones are ordered by uid, so that pages never overlap.
 * Tested by `features/access/server/list-users.test.ts`.
 */
export function listUsers(
  database: Database,
  filter: UserFilter,
  order: UserOrder,
  page: Page,
  permit: Permit<'read:list', 'iam:user.'>,
): Promise<{ total: number; nodes: UserRow[] }> {
  const [name, direction] = splitOrder(order)
  const { uids, organizationId, enabled, role, invitation, pattern } = filter
  const conditions = [
    scopeCondition(permit),
    ...(uids === undefined ? [] : [sql<boolean>`u.uid = any(${uids.filter(isUid)}::uuid[])`]),
    ...(organizationId === undefined ? [] : [sql<boolean>`u.organization_id = ${organizationId}`]),
    ...(enabled === undefined ? [] : [sql<boolean>`u.enabled = ${enabled}`]),
    ...(role === undefined
      ? []
      : [sql<boolean>`exists (select from user_roles r where r.uid = u.uid and r.role_name = ${role})`]),
    ...(invitation === undefined ? [] : [IN_STATE[invitation]]),
    ...(pattern === undefined ? [] : [sql<boolean>`u.email like ${pattern}`]),
  ]
  const where = sql.join(conditions, sql` and `)
  const by = direction === 'ASC' ? sql`asc` : sql`desc`
  return database.inScope(permit.scope, async tx => {
    const counted = await sql<{ total: bigint }>`select count(*) as total from ${FILTERED} where ${where}`.execute(tx)
    const order = sql`order by ${ORDER_COLUMNS[name]} ${by}, u.uid ${by}`
    const found = await sql<SelectedRow>`select ${COLUMNS} from ${TABLES}
      where u.uid = any (array(
        select u.uid from ${FILTERED} where ${where} ${order} limit ${page.limit} offset ${page.offset}))
      ${order}`.execute(tx)
    return { total: Number(counted.rows[0]?.total ?? 0n), nodes: found.rows.map(userRow) }
  })
}

/** The permit's rows as SQL. Row-level security repeats the condition. */
function scopeCondition({ scope, viewer }: Permit): RawBuilder<boolean> {
  switch (scope.kind) {
    case 'all':
      return sql<boolean>`true`
    case 'organization':
      return sql<boolean>`u.organization_id = ${scope.organizationId}`
    case 'agreements':
    case 'self':
      return sql<boolean>`u.uid = ${viewer.uid}::uuid`
  }
}

/** Widens the scope `self`, which would hide the name of the viewer's own organisation. */
function withOwnOrganization(permit: Permit): Scope {
  const { scope, viewer } = permit
  return scope.kind === 'self' ? { kind: 'agreements', uid: viewer.uid, organizationId: viewer.organizationId } : scope
}
