import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { ContentDataset } from './checking/dataset-columns.ts'
import type { EngineRow } from './reading/reading-engine.ts'

/** The identity of an article or video in a delivery. The last two fields are null for videos. */
export interface ContentKey {
  readonly rowNo: bigint
  readonly id: bigint
  readonly mediumId: bigint
  readonly publisherId: bigint
  readonly mediumArticleId: string | null
  readonly feedId: bigint | null
}

export interface ContentConflict {
  readonly rowNo: bigint
  readonly code:
    | 'other-medium'
    /** Allowed when the other publisher has no figures for it (`checking/publisher-reassignments.ts`). */
    | 'other-publisher'
    | 'removed-of-other'
    | 'own-id-taken'
    | 'unknown-feed'
    | 'feed-of-others'
}

/**
 * Keys that contradict stored rows: an id of another medium or publisher, or a name or feed that belongs elsewhere. In the
 * SQL `d` is the delivered key, `k` the stored row of the same id, `other` another article with the same name, `f` the feed;
 * each row of `wrong` is a possible conflict and whether it applies.
 */
export async function findConflicts(
  tx: Transaction,
  dataset: ContentDataset,
  keys: readonly ContentKey[],
): Promise<ContentConflict[]> {
  const list = <T>(value: (key: ContentKey) => T) => keys.map(value)
  await lookUpById(tx)
  const given = sql`unnest(${list(key => key.rowNo)}::bigint[], ${list(key => key.id)}::bigint[],
    ${list(key => key.mediumId)}::bigint[], ${list(key => key.publisherId)}::bigint[],
    ${list(key => key.mediumArticleId)}::text[], ${list(key => key.feedId)}::bigint[])
    as d (row_no, id, medium_id, publisher_id, medium_article_id, feed_id)`
  const { rows } =
    dataset === 'articles'
      ? await sql<ContentConflict>`select d.row_no, wrong.code from ${given}
          left join medium_articles k on k.article_id = d.id
          left join medium_articles other on other.medium_id = d.medium_id
            and other.medium_article_id = d.medium_article_id and other.article_id <> d.id
          left join feeds f on f.id = d.feed_id
          cross join lateral (values
            ('other-medium', k.medium_id <> d.medium_id), ('other-publisher', k.publisher_id <> d.publisher_id),
            ('removed-of-other', k.publisher_id <> d.publisher_id and exists (select from medium_article_removals r
              where r.article_id = k.article_id and r.restored_at is null)),
            ('own-id-taken', other.article_id is not null), ('unknown-feed', d.feed_id is not null and f.id is null),
            ('feed-of-others', f.medium_id <> d.medium_id or f.publisher_id <> d.publisher_id)) wrong (code, is_so)
          where wrong.is_so`.execute(tx)
      : await sql<ContentConflict>`select d.row_no, wrong.code from ${given}
          left join videos k on k.video_id = d.id
          cross join lateral (values ('other-medium', k.medium_id <> d.medium_id),
            ('other-publisher', k.publisher_id <> d.publisher_id)) wrong (code, is_so)
          where wrong.is_so`.execute(tx)
  return rows
}

/**
 * Makes the planner look up a few thousand rows by their index. Row-level security spoils its estimates, so that it would
 * otherwise scan or materialise the whole table and compare every delivered row with it.
 */
async function lookUpById(tx: Transaction): Promise<void> {
  await sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('enable_seqscan', 'off', true), set_config('enable_material', 'off', true)`.execute(tx)
}

/** PostgreSQL's columns of a dataset without `batch_no`: type, and the conversion of the engine's value. */
const COLUMNS = {
  articles: {
    article_id: ['bigint', asIs],
    medium_id: ['bigint', asIs],
    medium_article_id: ['text', asIs],
    publisher_id: ['bigint', asIs],
    feed_id: ['bigint', asIs],
    title: ['text', shown],
    url: ['text', asIs],
    published_at: ['timestamptz', instant],
    authors: ['jsonb', names],
    section: ['text', shownOrEmpty],
    tags: ['jsonb', names],
  },
  videos: {
    video_id: ['bigint', asIs],
    medium_id: ['bigint', asIs],
    publisher_id: ['bigint', asIs],
    title: ['text', shown],
    url: ['text', asIs],
    thumbnail_url: ['text', orEmpty],
    duration_seconds: ['integer', asIs],
    published_at: ['timestamptz', instant],
  },
} as const satisfies Record<ContentDataset, Record<string, readonly [string, (value: EngineValue) => unknown]>>

export const CONTENT_TABLES = { articles: 'medium_articles', videos: 'videos' } as const
/** Columns that a later delivery of the same id may change. The others identify the row and are checked to be equal. */
const CHANGING = {
  articles: ['feed_id', 'title', 'url', 'published_at', 'authors', 'section', 'tags'],
  videos: ['title', 'url', 'thumbnail_url', 'duration_seconds', 'published_at'],
} as const satisfies Record<ContentDataset, readonly string[]>

type EngineValue = EngineRow[string] | undefined
function asIs(value: EngineValue): unknown {
  return value ?? null
}
function orEmpty(value: EngineValue): unknown {
  return value ?? ''
}
/** Titles come from outside, so hidden characters (for example text-direction marks) are removed. */
function shown(value: EngineValue): string {
  return withoutHiddenCharacters(String(value))
}
function shownOrEmpty(value: EngineValue): string {
  return value === undefined || value === null ? '' : shown(value).trim()
}
/** A PostgreSQL array literal of the names; plain text is an array of one. */
function names(value: EngineValue): string {
  const given = value === undefined || value === null ? '' : String(value)
  const list = given.trimStart().startsWith('[') ? (JSON.parse(given) as string[]) : given === '' ? [] : [given]
  return `[${list.map(name => JSON.stringify(shown(name).trim())).join(', ')}]`
}
function instant(value: EngineValue): Date {
  return new Date(Number(value))
}

/**
 * Stored rows with another publisher, or another name on their medium, than the delivery; not those that a later batch
 * wrote. `offset 0` keeps the lateral lookup by id: as a plain join it may scan the whole table.
 */
async function findMovedAndRenamed(
  tx: Transaction,
  dataset: ContentDataset,
  batchNo: bigint,
  rows: readonly EngineRow[],
) {
  const [id, name] = dataset === 'articles' ? ['article_id', 'medium_article_id'] : ['video_id', 'null::text']
  const { rows: found } = await sql<{ place: bigint; isMoved: boolean; isRenamed: boolean }>`
    select d.place, k.publisher_id <> d.publisher_id as "isMoved", coalesce(k.name <> d.name, false) as "isRenamed"
    from unnest(${rows.map(row => row[id])}::bigint[], ${rows.map(row => row.publisher_id)}::bigint[],
        ${rows.map(row => row.medium_article_id ?? null)}::text[]) with ordinality as d (id, publisher_id, name, place)
      cross join lateral (select k.publisher_id, ${sql.raw(name)} as name from ${sql.raw(CONTENT_TABLES[dataset])} k
        where k.${sql.raw(id)} = d.id and (k.batch_no is null or k.batch_no <= ${batchNo}::bigint) offset 0) k
    where k.publisher_id <> d.publisher_id or k.name <> d.name`.execute(tx)
  const rowsOf = (list: typeof found) => list.map(({ place }) => rows[Number(place) - 1]!)
  return { moved: rowsOf(found.filter(row => row.isMoved)), renamed: rowsOf(found.filter(row => row.isRenamed)) }
}

/**
 * Moves articles or videos to another publisher. A statement of its own, because moves are rare and counted. The feed of an
 * article changes in the same statement: a feed belongs to one publisher.
 * @returns the number of moved rows
 */
async function movePublishers(
  tx: Transaction,
  dataset: ContentDataset,
  batchNo: bigint,
  rows: readonly EngineRow[],
): Promise<bigint> {
  const [id, feed] = dataset === 'articles' ? ['article_id', 'feed_id = d.feed_id, '] : ['video_id', '']
  const ids = rows.map(row => row[id])
  const moved = await sql`update ${sql.raw(CONTENT_TABLES[dataset])} k
    set publisher_id = d.publisher_id, ${sql.raw(feed)}batch_no = ${batchNo}::bigint
    from unnest(${ids}::bigint[], ${rows.map(row => row.publisher_id)}::bigint[],
      ${rows.map(row => row.feed_id ?? null)}::bigint[]) as d (id, publisher_id, feed_id)
    where k.${sql.raw(id)} = any (${ids}::bigint[]) and k.${sql.raw(id)} = d.id
      and (k.batch_no is null or k.batch_no <= ${batchNo}::bigint)`.execute(tx)
  return moved.numAffectedRows ?? 0n
}

/**
 * Inserts and updates articles or videos; equal rows, and rows that a later batch wrote, stay as they are. Every change sets
 * `batch_no`, by which `publish-dimensions.ts` finds what is new. Removal is stored elsewhere, so a delivery never restores
 * a removed article.
 * @returns the number of rows that changed their publisher
 */
export async function writeContents(
  tx: Transaction,
  dataset: ContentDataset,
  batchNo: bigint,
  rows: readonly EngineRow[],
): Promise<bigint> {
  const columns = Object.entries(COLUMNS[dataset])
  const given = sql`unnest(${sql.join(
    columns.map(([name, [type, write]]) => sql`${rows.map(row => write(row[name]))}::${sql.raw(type)}[]`),
  )}) as d (${sql.raw(columns.map(([name]) => name).join(', '))})`
  await lookUpById(tx)
  const { moved, renamed } = await findMovedAndRenamed(tx, dataset, batchNo, rows)
  if (renamed.length > 0) await renameArticles(tx, batchNo, renamed)
  const movedCount = moved.length > 0 ? await movePublishers(tx, dataset, batchNo, moved) : 0n
  const [[id = ''] = []] = columns
  const table = CONTENT_TABLES[dataset]
  const names = columns.map(([name]) => name).join(', ')
  const of = (alias: string) => CHANGING[dataset].map(name => `${alias}.${name}`).join(', ')
  await sql`insert into ${sql.raw(table)} (${sql.raw(names)}, batch_no)
    select d.*, ${batchNo}::bigint from ${given} left join ${sql.raw(table)} k on k.${sql.raw(id)} = d.${sql.raw(id)}
    where k.${sql.raw(id)} is null or (${sql.raw(of('k'))}) is distinct from (${sql.raw(of('d'))})
    on conflict (${sql.raw(id)}) do update
      set (${sql.raw(CHANGING[dataset].join(', '))}, batch_no) = (${sql.raw(of('excluded'))}, excluded.batch_no)
      where ${sql.raw(table)}.batch_no is null or ${sql.raw(table)}.batch_no <= excluded.batch_no`.execute(tx)
  return movedCount
}

/**
 * The name of an article on its medium is part of a unique key, and updating a key takes a stronger row lock that blocks
 * foreign-key checks. So only the few renamed rows go through this statement.
 */
async function renameArticles(tx: Transaction, batchNo: bigint, rows: readonly EngineRow[]): Promise<void> {
  const ids = rows.map(row => row.article_id)
  await sql`update medium_articles k set medium_article_id = d.name, batch_no = ${batchNo}::bigint
    from unnest(${ids}::bigint[], ${rows.map(row => row.medium_article_id)}::text[]) as d (id, name)
    where k.article_id = any (${ids}::bigint[]) and k.article_id = d.id
      and (k.batch_no is null or k.batch_no < ${batchNo}::bigint)`.execute(tx)
}

/** A stored article or video by column, as text; instants in milliseconds. Replays compare it with the rebuilt row. */
export type StoredContent = Readonly<Record<string, string | null>>

export async function listContents(
  tx: Transaction,
  dataset: ContentDataset,
  ids: readonly bigint[],
): Promise<StoredContent[]> {
  const columns = Object.entries(COLUMNS[dataset])
  const [[id = ''] = []] = columns
  const values = columns.map(([name, [type]]) =>
    type === 'timestamptz' ? `(extract(epoch from ${name}) * 1000)::bigint::text as ${name}` : `${name}::text`,
  )
  const { rows } = await sql<{ row: string }>`select row_to_json(k)::text as row
    from (select ${sql.raw(values.join(', '))} from ${sql.raw(CONTENT_TABLES[dataset])}
      where ${sql.raw(id)} = any (${ids}::bigint[])) k`.execute(tx)
  return rows.map(({ row }) => JSON.parse(row) as StoredContent)
}

/** The form in which {@link listContents} would answer the engine's row after it is written. */
export function asStored(dataset: ContentDataset, row: EngineRow): StoredContent {
  const text = (value: unknown) => (value === null ? null : String(value instanceof Date ? value.getTime() : value))
  return Object.fromEntries(Object.entries(COLUMNS[dataset]).map(([name, [, write]]) => [name, text(write(row[name]))]))
}

/** The number of rows whose last change came from a delivery. */
export async function countDelivered(tx: Transaction, dataset: ContentDataset): Promise<bigint> {
  const { rows } = await sql<{ found: bigint }>`
    select count(*) as found from ${sql.raw(CONTENT_TABLES[dataset])} where batch_no is not null`.execute(tx)
  return rows[0]!.found
}
