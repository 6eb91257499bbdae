import type { Permit } from '@pc/domain/access/decide.ts'
import type { FeedState } from '@pc/domain/feed/feed-health.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type Selectable, sql } from 'kysely'

export const FEED_ORDERS = [
  'ID_ASC',
  'ID_DESC',
  'CREATEDAT_ASC',
  'CREATEDAT_DESC',
  'UPDATEDAT_ASC',
  'UPDATEDAT_DESC',
  'NAME_ASC',
  'NAME_DESC',
] as const
export type FeedOrder = (typeof FEED_ORDERS)[number]
const ORDER_COLUMNS = { ID: 'f.id', CREATEDAT: 'f.createdAt', UPDATEDAT: 'f.updatedAt', NAME: 'f.name' } as const

export interface FeedFilter {
  readonly ids?: readonly bigint[] | undefined
  readonly publisherId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly enabled?: boolean | undefined
  readonly type?: FeedType | undefined
  readonly state?: FeedState | undefined
  /** All of them must be found, as typed. */
  readonly words?: readonly string[] | undefined
}

export interface FeedRow extends Omit<Selectable<Tables['feeds']>, 'searchText'> {
  /** Null: nobody has looked at it yet. */
  readonly health: Selectable<Tables['feedHealth']> | null
}

type ReadPermit = Permit<'read:list' | 'read:show', 'insight:feed.'>

/** Feeds within the rows of the permit. Equal ones are in the order of their id, so pages never overlap. */
export function listFeeds(
  database: Database,
  filter: FeedFilter,
  order: FeedOrder,
  page: Page,
  permit: ReadPermit,
): Promise<{ total: number; nodes: FeedRow[] }> {
  const [column, direction] = order.split('_') as [keyof typeof ORDER_COLUMNS, 'ASC' | 'DESC']
  return database.inScope(permit.scope, async tx => {
    let rows = tx.selectFrom('feeds as f').where(feedScope(permit))
    if (filter.ids !== undefined) rows = rows.where('f.id', '=', sql<bigint>`any(${filter.ids}::bigint[])`)
    if (filter.publisherId !== undefined) rows = rows.where('f.publisherId', '=', filter.publisherId)
    if (filter.mediumId !== undefined) rows = rows.where('f.mediumId', '=', filter.mediumId)
    if (filter.enabled !== undefined) rows = rows.where('f.enabled', '=', filter.enabled)
    if (filter.type !== undefined) rows = rows.where('f.type', '=', filter.type)
    if (filter.state !== undefined)
      rows = rows.where(
        sql<boolean>`coalesce((select h.state from feed_health h where h.feed_id = f.id), 'unchecked') = ${filter.state}`,
      )
    for (const word of filter.words ?? [])
      rows = rows.where(sql<boolean>`strpos(f.search_text, app.search_text(${word})) > 0`)
    const ids = await rows
      .select('f.id')
      .orderBy(ORDER_COLUMNS[column], direction === 'ASC' ? 'asc' : 'desc')
      .orderBy('f.id', direction === 'ASC' ? 'asc' : 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    const isWhole = ids.length < page.limit && (ids.length > 0 || page.offset === 0)
    const counted = isWhole
      ? undefined
      : await rows.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
    return {
      total: counted ? Number(counted.total) : page.offset + ids.length,
      nodes: await feedsOf(
        tx,
        ids.map(row => row.id),
      ),
    }
  })
}

/** Undefined for a feed that does not exist and for one outside of the permit alike. */
export function findFeed(database: Database, id: bigint, permit: ReadPermit): Promise<FeedRow | undefined> {
  return database.inScope(permit.scope, async tx => {
    const found = await tx
      .selectFrom('feeds as f')
      .select('f.id')
      .where('f.id', '=', id)
      .where(feedScope(permit))
      .executeTakeFirst()
    return found && (await feedsOf(tx, [found.id]))[0]
  })
}

/** Whole feeds in the order of the ids. */
export async function feedsOf(tx: Transaction, ids: readonly bigint[]): Promise<FeedRow[]> {
  if (ids.length === 0) return []
  const [feeds, healths] = [
    await tx.selectFrom('feeds').selectAll().where('id', '=', sql<bigint>`any(${ids}::bigint[])`).execute(),
    await tx.selectFrom('feedHealth').selectAll().where('feedId', '=', sql<bigint>`any(${ids}::bigint[])`).execute(),
  ]
  const healthOf = new Map(healths.map(health => [health.feedId, health]))
  const feedOf = new Map(
    feeds.map(({ searchText: _searchText, ...feed }) => [feed.id, { ...feed, health: healthOf.get(feed.id) ?? null }]),
  )
  return ids.flatMap(id => feedOf.get(id) ?? [])
}

/** The application's own wall; row-level security repeats it underneath. */
function feedScope({ scope }: Permit) {
  switch (scope.kind) {
    case 'all':
      return sql<boolean>`true`
    case 'organization':
      return sql<boolean>`f.publisher_id in (
        select p.id from publishers p where p.organization_id = ${scope.organizationId})`
    case 'agreements':
      return sql<boolean>`f.publisher_id in (select r.publisher_id from agreement_publisher_rules r
        join user_agreements ua on ua.agreement_id = r.agreement_id where ua.uid = ${scope.uid}::uuid)`
    case 'self':
      return sql<boolean>`false`
  }
}
