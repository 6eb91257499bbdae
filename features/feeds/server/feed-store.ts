import type { Permit } from '@pc/domain/access/decide.ts'
import type { FeedState } from '@pc/domain/feed/feed-health.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'
import { isOfOwnPublisherOnMedium, isOfPublisherIn, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords, pageOf, searchOf } from '@pc/platform/postgres/page-of-ids.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'

export const FEED_ORDERS = [...COMMON_LIST_ORDERS, 'NAME_ASC', 'NAME_DESC'] as const
export type FeedOrder = (typeof FEED_ORDERS)[number]
const ORDER_COLUMNS = {
  ID: sql`f.id`,
  CREATEDAT: sql`f.created_at`,
  UPDATEDAT: sql`f.updated_at`,
  NAME: sql`f.name`,
} as const

export interface FeedFilter {
  readonly ids?: readonly bigint[] | undefined
  readonly publisherId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly enabled?: boolean | undefined
  readonly type?: FeedType | undefined
  readonly state?: FeedState | undefined
  /** Normalised search words; all must occur in name, short name or URL. */
  readonly words?: readonly string[] | undefined
}

export interface FeedRow extends Omit<Selectable<Tables['feeds']>, 'searchText'> {
  /** Null when the feed was not checked yet. */
  readonly health: Selectable<Tables['feedHealth']> | null
}

type ReadPermit = Permit<'read:list' | 'read:show', 'insight:feed.'>

/** Feeds within the permit's scope. Equal ones are ordered by id, so that pages never overlap. */
export async function listFeeds(
  database: Database,
  filter: FeedFilter,
  order: FeedOrder,
  page: Page,
  permit: ReadPermit,
): Promise<{ total: number; nodes: FeedRow[] }> {
  const [column, direction] = splitOrder(order)
  const reader = database.reader(permit.scope)
  const { publisherId, mediumId, enabled, type, state, words = [] } = filter
  const list = {
    from: sql`feeds f`,
    id: sql`f.id`,
    where: conditionsOf(filter, permit),
    search: await searchOf(reader, {
      kind: 'feed',
      id: sql`f.id`,
      words,
      texts: holdsWords(sql`f.search_text`, words),
      scope: permit.scope,
      filters:
        filter.ids === undefined && state === undefined
          ? { publisher_id: publisherId, medium_id: mediumId, type, is_live: enabled }
          : undefined,
    }),
    order: ORDER_COLUMNS[column],
    direction,
    ...page,
  }
  return pageOf(reader, list, ids => feedsOf(reader, ids))
}

/** SQL subquery: the number of feeds in {@link listFeeds}. It ignores `words`, and must run in the permit's scope. */
export function feedCount(filter: FeedFilter, permit: ReadPermit): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from feeds f where ${sql.join(conditionsOf(filter, permit), sql` and `)})`
}

function conditionsOf(filter: FeedFilter, permit: ReadPermit): RawBuilder<boolean>[] {
  const { publisherId, mediumId, enabled, type, state } = filter
  return [
    feedScope(permit),
    ...(filter.ids === undefined ? [] : [sql<boolean>`f.id = any(${filter.ids}::bigint[])`]),
    ...(publisherId === undefined ? [] : [sql<boolean>`f.publisher_id = ${publisherId}`]),
    ...(mediumId === undefined ? [] : [sql<boolean>`f.medium_id = ${mediumId}`]),
    ...(enabled === undefined ? [] : [sql<boolean>`f.enabled = ${enabled}`]),
    ...(type === undefined ? [] : [sql<boolean>`f.type = ${type}`]),
    ...(state === undefined ? [] : [isInState(state)]),
  ]
}

/** SQL condition. Unhealthy feeds are few and found by an index; a feed without a health row was not checked yet. */
function isInState(state: FeedState) {
  if (state === 'quiet' || state === 'failing' || state === 'outage')
    return sql<boolean>`f.id in (select h.feed_id from feed_health h where h.state = ${sql.lit(state)})`
  return sql<boolean>`coalesce((select h.state from feed_health h where h.feed_id = f.id), 'unchecked') = ${state}`
}

/** Undefined both for a feed that does not exist and for one outside the permit's scope. */
export async function findFeed(database: Database, id: bigint, permit: ReadPermit): Promise<FeedRow | undefined> {
  const reader = database.reader(permit.scope)
  const found = await reader
    .selectFrom('feeds as f')
    .select('f.id')
    .where('f.id', '=', id)
    .where(feedScope(permit))
    .executeTakeFirst()
  return found && (await feedsOf(reader, [found.id]))[0]
}

/** Whole feeds in the order of the ids. */
export async function feedsOf(reader: Reader, ids: readonly bigint[]): Promise<FeedRow[]> {
  if (ids.length === 0) return []
  const [feeds, healths] = [
    await reader.selectFrom('feeds').selectAll().where('id', '=', sql<bigint>`any(${ids}::bigint[])`).execute(),
    await reader
      .selectFrom('feedHealth')
      .selectAll()
      .where('feedId', '=', sql<bigint>`any(${ids}::bigint[])`)
      .execute(),
  ]
  const healthOf = new Map(healths.map(health => [health.feedId, health]))
  const feedOf = new Map(
    feeds.map(({ searchText: _searchText, ...feed }) => [feed.id, { ...feed, health: healthOf.get(feed.id) ?? null }]),
  )
  return ids.flatMap(id => feedOf.get(id) ?? [])
}

/** The permit's scope as SQL condition; row-level security enforces the same again. */
function feedScope(permit: Permit) {
  return ownRows(permit, {
    organization: id => isOfPublisherIn(sql`f.publisher_id`, id),
    agreements: uid => isOfOwnPublisherOnMedium(sql`f.publisher_id`, sql`f.medium_id`, uid),
  })
}
