import type { Permit } from '@pc/domain/access/decide.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { type ApiKeyScope, type ApiKeyState, apiKeyState, isApiKeyScope } from '@pc/domain/api-key/api-key.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

/** The role that manages an organisation's keys. A key has at most its rights. */
export const KEEPER: Role = 'insight:publisher_admin'

/** A key as people see it; of the secret only the end is known. */
export interface ApiKeyRow {
  readonly id: bigint
  readonly organizationName: string
  readonly name: string
  readonly secretEnd: string
  readonly scopes: readonly ApiKeyScope[]
  readonly state: ApiKeyState
  readonly createdByEmail: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly requestCount: bigint
  readonly lastUsedAt: Date | null
  readonly lastUsedFrom: string | null
  /** Empty: every address is allowed. */
  readonly allowedAddresses: readonly string[]
  /** Time and address of the last attempt from an address that is not allowed; null: none. */
  readonly refusedAt: Date | null
  readonly refusedFrom: string | null
}
interface Stored extends Omit<ApiKeyRow, 'scopes' | 'state'> {
  readonly scopes: readonly string[]
  readonly isMakerEntitled: boolean
}

/** Whether the maker of key `k` still manages the keys of its organisation; checked at every use. */
export const IS_MAKER_ENTITLED = sql<boolean>`exists (select from users u join user_roles r on r.uid = u.uid
  where u.uid = k.created_by_uid and u.enabled and u.organization_id = k.organization_id and r.role_name = ${KEEPER})`

const COLUMNS = sql`k.id, k.name, k.secret_end, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.request_count,
  k.last_used_at, k.last_used_from, k.allowed_addresses, k.refused_at, k.refused_from, o.name as organization_name, m.email as created_by_email,
  ${IS_MAKER_ENTITLED} as is_maker_entitled`
const FROM = sql`publisher_api_keys k join organizations o on o.id = k.organization_id
  left join users m on m.uid = k.created_by_uid`

type Owning = Pick<Permit, 'scope'>

/** SQL condition: all keys for staff, else keys of the person's organisation. Row-level security enforces the same again. */
function isOwn({ scope }: Owning): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`
  if (scope.kind === 'organization') return sql<boolean>`k.organization_id = ${scope.organizationId}`
  throw new TypeError('API keys belong to organisations')
}

export interface ApiKeyPage {
  readonly total: number
  readonly nodes: readonly ApiKeyRow[]
}

/** Keys that have not expired first, then the newest. */
export async function listApiKeys(
  tx: Transaction,
  permit: Owning,
  { limit, offset }: Page,
  nowMs: number,
): Promise<ApiKeyPage> {
  const own = isOwn(permit)
  const counted = await sql<{ total: bigint }>`select count(*) as total from publisher_api_keys k where ${own}`.execute(
    tx,
  )
  const found = await sql<Stored>`select ${COLUMNS} from ${FROM} where ${own}
    order by (k.revoked_at is null and k.expires_at > ${new Date(nowMs)}) desc, k.id desc
    limit ${limit} offset ${offset}`.execute(tx)
  return { total: Number(counted.rows[0]?.total ?? 0), nodes: found.rows.map(row => apiKeyOfRow(row, nowMs)) }
}

/** The key, locked until the transaction ends; undefined when this person may see no such key. */
export async function lockApiKey(
  tx: Transaction,
  permit: Owning,
  id: bigint,
  nowMs: number,
): Promise<ApiKeyRow | undefined> {
  const found = await sql<Stored>`select ${COLUMNS} from ${FROM} where k.id = ${id} and ${isOwn(permit)}
    for update of k`.execute(tx)
  return found.rows[0] && apiKeyOfRow(found.rows[0], nowMs)
}

function apiKeyOfRow({ isMakerEntitled, scopes, ...row }: Stored, nowMs: number): ApiKeyRow {
  const life = { expiresAtMs: row.expiresAt.getTime(), isRevoked: row.revokedAt !== null, isMakerEntitled }
  return { ...row, scopes: scopes.filter(isApiKeyScope), state: apiKeyState(life, nowMs) }
}

/**
 * Email addresses of those who manage an organisation's keys.
 * @param makerUid the maker of a key, who is included even if no longer managing keys
 */
export async function keepersOf(
  tx: Transaction,
  organizationId: bigint,
  makerUid?: string | null,
): Promise<readonly string[]> {
  const keepers = await peopleWithRoles(tx, [KEEPER], { organizationId }).limit(MAX_KEEPERS).execute()
  const maker = makerUid
    ? await tx
        .selectFrom('users')
        .select('email')
        .where('uid', '=', makerUid)
        .where('enabled', '=', true)
        .where('emailVerifiedAt', 'is not', null)
        .execute()
    : []
  return addressesOf([...keepers, ...maker])
}
/** At most this many people of an organisation get the email. */
const MAX_KEEPERS = 20
