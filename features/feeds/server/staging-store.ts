import type { Permit } from '@pc/domain/access/decide.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import { type COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { StagingDocument, StagingFeedFields, StagingRule } from './staging-document.ts'

export interface StagingPublisherRow {
  readonly id: string
  readonly name: string
  readonly notes: string
  readonly rules: readonly StagingRule[]
  readonly source: string
  readonly importedAt: Date
  /** The publisher that was created from it; null when not copied yet. */
  readonly publisherId: bigint | null
  readonly copiedAt: Date | null
}

export interface StagingFeedRow {
  readonly id: string
  readonly stagingPublisherId: string
  readonly name: string
  readonly url: string
  readonly fields: StagingFeedFields & { readonly type: FeedType }
  readonly source: string
  readonly importedAt: Date
  readonly feedId: bigint | null
  readonly copiedAt: Date | null
  /** The publisher that was created from its staging publisher; null when there is none yet. */
  readonly publisherId: bigint | null
}

export interface StagingFilter {
  readonly isCopied?: boolean | undefined
  readonly stagingPublisherId?: string | undefined
  readonly words?: readonly string[] | undefined
  /** Undefined: by name. */
  readonly order?: (typeof COMMON_LIST_ORDERS)[number] | undefined
}

const ROWS_PER_STATEMENT = 1_000

/**
 * Inserts or updates the entries of a validated staging document. Copied entries stay marked as copied, and entries that
 * are missing in the document are kept.
 * Tested by `features/publishers/server/staging-api.test.ts`.
 */
export async function importStaging(
  tx: Transaction,
  document: StagingDocument,
  source: string,
): Promise<{ readonly publishers: number; readonly feeds: number }> {
  for (const rows of chunks(document.publishers)) {
    await sql`insert into staging.publishers (id, name, notes, rules, source)
      select id, name, notes, rules, ${source} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as given (id text, name text, notes text, rules jsonb)
      on conflict (id) do update set name = excluded.name, notes = excluded.notes, rules = excluded.rules,
        source = excluded.source, imported_at = now()`.execute(tx)
  }
  for (const rows of chunks(document.feeds)) {
    const given = rows.map(({ publisherId, ...feed }) => ({ ...feed, staging_publisher_id: publisherId }))
    await sql`insert into staging.feeds (id, staging_publisher_id, name, url, fields, source)
      select id, staging_publisher_id, name, url, fields, ${source} from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (id text, staging_publisher_id text, name text, url text, fields jsonb)
      on conflict (id) do update set staging_publisher_id = excluded.staging_publisher_id, name = excluded.name,
        url = excluded.url, fields = excluded.fields, source = excluded.source, imported_at = now()`.execute(tx)
  }
  return { publishers: document.publishers.length, feeds: document.feeds.length }
}

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT)
}

type ListPermit = Permit<'write:create', 'insight:publisher.'> | Permit<'write:update', 'insight:feed.'>

export function listStagingPublishers(
  database: Database,
  filter: StagingFilter,
  page: Page,
  permit: ListPermit,
): Promise<{ total: number; nodes: StagingPublisherRow[] }> {
  return database.inScope(permit.scope, async tx => {
    const where = conditions(filter, sql`s.publisher_id`)
    const { rows } = await sql<StagingPublisherRow>`
      select id, name, notes, rules, source, imported_at, publisher_id, copied_at from staging.publishers s
      where ${where} order by ${orderOf(filter)} limit ${page.limit} offset ${page.offset}`.execute(tx)
    return { total: await count(tx, sql`staging.publishers s where ${where}`), nodes: rows }
  })
}

export function listStagingFeeds(
  database: Database,
  filter: StagingFilter,
  page: Page,
  permit: ListPermit,
): Promise<{ total: number; nodes: StagingFeedRow[] }> {
  return database.inScope(permit.scope, async tx => {
    const ofPublisher = filter.stagingPublisherId ?? null
    const where = sql<boolean>`${conditions(filter, sql`s.feed_id`)}
      and (${ofPublisher}::text is null or s.staging_publisher_id = ${ofPublisher}::text)`
    const { rows } = await sql<StagingFeedRow>`${FEED_SELECT}
      where ${where} order by ${orderOf(filter)} limit ${page.limit} offset ${page.offset}`.execute(tx)
    return { total: await count(tx, sql`staging.feeds s where ${where}`), nodes: rows }
  })
}

const FEED_SELECT = sql`select s.id, s.staging_publisher_id, s.name, s.url, s.fields, s.source, s.imported_at, s.feed_id,
  s.copied_at, p.publisher_id from staging.feeds s join staging.publishers p on p.id = s.staging_publisher_id`

/** Locks the entry until the end of the transaction, so that it is copied only once. */
export async function lockStagingFeed(tx: Transaction, id: string): Promise<StagingFeedRow | undefined> {
  const { rows } = await sql<StagingFeedRow>`${FEED_SELECT} where s.id = ${id} for update of s`.execute(tx)
  return rows[0]
}

export async function lockStagingPublisher(tx: Transaction, id: string): Promise<StagingPublisherRow | undefined> {
  const { rows } = await sql<StagingPublisherRow>`
    select id, name, notes, rules, source, imported_at, publisher_id, copied_at from staging.publishers
    where id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function markFeedCopied(tx: Transaction, id: string, feedId: bigint, by: string): Promise<void> {
  await sql`update staging.feeds set feed_id = ${feedId}, copied_at = now(), copied_by = ${by}::uuid
    where id = ${id}`.execute(tx)
}

export async function markPublisherCopied(tx: Transaction, id: string, publisherId: bigint, by: string): Promise<void> {
  await sql`update staging.publishers set publisher_id = ${publisherId}, copied_at = now(), copied_by = ${by}::uuid
    where id = ${id}`.execute(tx)
}

function conditions({ isCopied, words = [] }: StagingFilter, copiedTo: ReturnType<typeof sql>) {
  const copied = isCopied ?? null
  const found = words.map(word => sql`and strpos(app.search_text(s.name), app.search_text(${word})) > 0`)
  return sql<boolean>`(${copied}::boolean is null or (${copiedTo} is not null) = ${copied}::boolean)
    ${sql.join(found, sql` `)}`
}

const ORDER_COLUMNS = { ID: sql`s.id`, CREATEDAT: sql`s.created_at`, UPDATEDAT: sql`s.updated_at` } as const

function orderOf({ order }: StagingFilter) {
  if (order === undefined) return sql`s.name, s.id`
  const [name, way] = splitOrder(order)
  const direction = way === 'ASC' ? sql`asc` : sql`desc`
  return sql`${ORDER_COLUMNS[name]} ${direction}, s.id ${direction}`
}

async function count(tx: Transaction, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select count(*) as total from ${from}`.execute(tx)
  return Number(rows[0]?.total ?? 0n)
}
