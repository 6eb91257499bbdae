import type { Permit } from '@pc/domain/access/decide.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { PUBLISHER_FIELD_NAMES, type PublisherFields } from '@pc/domain/publisher/publisher-record.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { compileOnce, compileOncePerScope } from '@pc/platform/postgres/compile-once.ts'
import type { Database, Reader, Transaction } from '@pc/platform/postgres/database.ts'
import { isOfOwnPublisher, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords, inOrderOf, pageOf, searchOf } from '@pc/platform/postgres/page-of-ids.ts'
import { sql } from 'kysely'

export const PUBLISHER_ORDERS = [...COMMON_LIST_ORDERS, 'NAME_ASC', 'NAME_DESC'] as const
export type PublisherOrder = (typeof PUBLISHER_ORDERS)[number]

export interface PublisherRow extends PublisherFields {
  readonly id: bigint
  readonly organizationId: bigint
  /** Null when the organisation is not in the viewer's scope. */
  readonly organizationName: string | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface PublisherFilter {
  readonly organizationId?: bigint | undefined
  readonly enabled?: boolean | undefined
  /** Normalised search words; all must occur in the name or its kana. */
  readonly words?: readonly string[] | undefined
}
type ListPermit = Permit<'read:list', 'insight:publisher.'>

const ORDER_COLUMNS = {
  ID: sql`p.id`,
  CREATEDAT: sql`p.created_at`,
  UPDATEDAT: sql`p.updated_at`,
  NAME: sql`p.name`,
} as const
const COLUMNS = [
  ...PUBLISHER_FIELD_NAMES.map(name => `p.${name}` as const),
  ...(['p.id', 'p.organizationId', 'p.revision', 'p.createdAt', 'p.updatedAt'] as const),
]

/**
 * Publishers within the permit's scope. Equal ones are ordered by id, so that pages never overlap. `readAhead` is called
 * with the page's ids, to read related rows in parallel.
 */
export async function listPublishers(
  database: Database,
  filter: PublisherFilter,
  order: PublisherOrder,
  page: Page,
  permit: ListPermit,
  readAhead: (ids: readonly bigint[]) => Promise<void> = async () => {},
): Promise<{ total: number; nodes: PublisherRow[] }> {
  const [column, direction] = splitOrder(order)
  const reader = database.reader(permit.scope)
  const { organizationId, enabled, words = [] } = filter
  const list = {
    from: sql`publishers p`,
    id: sql`p.id`,
    where: [
      publisherScope(permit),
      ...(organizationId === undefined ? [] : [sql<boolean>`p.organization_id = ${organizationId}`]),
      ...(enabled === undefined ? [] : [sql<boolean>`p.enabled = ${enabled}`]),
    ],
    search: await searchOf(reader, {
      kind: 'publisher',
      id: sql`p.id`,
      words,
      texts: holdsWords(sql`p.search_text`, words),
      scope: permit.scope,
      filters: { organization_id: organizationId, is_live: enabled },
    }),
    order: ORDER_COLUMNS[column],
    direction,
    ...page,
  }
  return pageOf(reader, list, async ids => {
    const [rows] = await Promise.all([findPublishers(reader, ids), readAhead(ids)])
    return inOrderOf(ids, rows, row => row.id)
  })
}

const showQuery = compileOncePerScope<{ readonly id: bigint }, PublisherRow>((place, builder, scope) =>
  builder
    .selectFrom('publishers as p')
    .leftJoin('organizations as o', 'o.id', 'p.organizationId')
    .select(COLUMNS)
    .select('o.name as organizationName')
    .where('p.id', '=', place('id'))
    .where(publisherScope({ scope })),
)

/** A publisher within the permit's scope; undefined when there is none. */
export async function showPublisher(
  database: Database,
  id: bigint,
  { scope }: Permit<'read:show', 'insight:publisher.'>,
): Promise<PublisherRow | undefined> {
  const [row] = await database.readSingleStatement(scope, showQuery(scope, { id }))
  return row
}

/** Publishers by id within the reader's scope. */
export function findPublishers(reader: Reader, ids: readonly bigint[]): Promise<PublisherRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : publishersById(reader, ids).execute()
}

const lockQuery = compileOnce<{ readonly ids: readonly bigint[] }, PublisherRow>((place, builder) =>
  publishersById(builder, place('ids')).forUpdate('p'),
)

/** Locks a publisher within the transaction's scope; undefined when there is none. */
export async function lockPublisher(tx: Transaction, id: bigint): Promise<PublisherRow | undefined> {
  const { rows } = await tx.executeQuery(lockQuery({ ids: [id] }))
  return rows[0]
}

type Update = PublisherFields & { readonly id: bigint; readonly revision: number }

const updateQuery = compileOnce<Update, { readonly updatedAt: Date }>((place, builder) =>
  builder
    .updateTable('publishers')
    .set({
      ...(Object.fromEntries(PUBLISHER_FIELD_NAMES.map(name => [name, place(name)])) as unknown as PublisherFields),
      revision: place('revision'),
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', place('id'))
    .returning('updatedAt'),
)

/** Updates a locked publisher. @returns its new `updatedAt` */
export async function updatePublisher(tx: Transaction, row: Update): Promise<Date> {
  const { rows } = await tx.executeQuery(updateQuery(row))
  if (!rows[0]) throw new Error('a locked publisher cannot be changed')
  return rows[0].updatedAt
}

function publishersById(reader: Reader, ids: readonly bigint[]) {
  return reader
    .selectFrom('publishers as p')
    .leftJoin('organizations as o', 'o.id', 'p.organizationId')
    .select(COLUMNS)
    .select('o.name as organizationName')
    .where('p.id', '=', sql<bigint>`any(${ids}::bigint[])`)
}

/** The permit's scope as SQL condition; row-level security enforces the same again. */
function publisherScope(permit: { readonly scope: Scope }) {
  return ownRows(permit, {
    organization: id => sql<boolean>`p.organization_id = ${id}`,
    agreements: uid => isOfOwnPublisher(sql`p.id`, uid),
  })
}
