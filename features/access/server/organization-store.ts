import type { Permit } from '@pc/domain/access/decide.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import { type RawBuilder, sql } from 'kysely'

export interface OrganizationRow {
  readonly id: bigint
  readonly name: string
  /** Postal code and address are empty until somebody enters them. */
  readonly postalCode: string
  readonly address: string
  readonly userCount: number
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const ORGANIZATION_ORDERS = [...COMMON_LIST_ORDERS, 'NAME_ASC', 'NAME_DESC'] as const
export type OrganizationOrder = (typeof ORGANIZATION_ORDERS)[number]

const ORDER_COLUMNS = {
  ID: sql`o.id`,
  CREATEDAT: sql`o.created_at`,
  UPDATEDAT: sql`o.updated_at`,
  NAME: sql`o.name`,
} as const
const COLUMNS = sql`o.id, o.name, o.postal_code, o.address, o.revision, o.created_at, o.updated_at,
  (select count(*)::int from users u where u.organization_id = o.id) as user_count`

export function findOrganization(
  database: Database,
  id: bigint,
  permit: Permit<'read:show', 'iam:org.'>,
): Promise<OrganizationRow | undefined> {
  return database.inScope(permit.scope, tx => readOrganization(tx, id, permit))
}

/** Like {@link findOrganization}, within a running transaction. */
export async function readOrganization(
  tx: Transaction,
  id: bigint,
  permit: Permit,
): Promise<OrganizationRow | undefined> {
  const found = await sql<OrganizationRow>`select ${COLUMNS} from organizations o
    where o.id = ${id} and ${scopeCondition(permit)}`.execute(tx)
  return found.rows[0]
}

/** Organisations whose name or its reading contains every word; all are compared in normal form. */
export function listOrganizations(
  database: Database,
  words: readonly string[],
  order: OrganizationOrder,
  page: Page,
  permit: Permit<'read:list', 'iam:org.'>,
): Promise<{ total: number; nodes: OrganizationRow[] }> {
  const [name, direction] = splitOrder(order)
  const by = direction === 'ASC' ? sql`asc` : sql`desc`
  const search = words.length === 0 ? sql<boolean>`true` : holdsWords(sql`o.search_text`, words)
  const where = sql`${scopeCondition(permit)} and ${search}`
  return database.inScope(permit.scope, async tx => {
    const counted = await sql<{ total: bigint }>`select count(*) as total from organizations o where ${where}`.execute(
      tx,
    )
    const found = await sql<OrganizationRow>`select ${COLUMNS} from organizations o where ${where}
      order by ${ORDER_COLUMNS[name]} ${by}, o.id ${by} limit ${page.limit} offset ${page.offset}`.execute(tx)
    return { total: Number(counted.rows[0]?.total ?? 0n), nodes: found.rows }
  })
}

function scopeCondition({ scope }: Permit): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`
  return scope.kind === 'organization' ? sql<boolean>`o.id = ${scope.organizationId}` : sql<boolean>`false`
}
