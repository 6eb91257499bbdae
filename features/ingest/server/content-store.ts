import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { ContentDataset } from './checking/dataset-columns.ts'
import type { arrayLiterals, LiteralKind } from './reading/array-literals.ts'
import type { ContentPage } from './reading/content-file.ts'
import type { EngineRow } from './reading/reading-engine.ts'

/** The identities of articles or videos in a delivery, with the numbers of their rows. */
export const CONTENT_KEYS = {
  articles: {
    row_no: ['rowid', 'number'],
    id: ['article_id', 'number'],
    medium_id: ['medium_id', 'number'],
    publisher_id: ['publisher_id', 'number'],
    medium_article_id: ['medium_article_id', 'text'],
    feed_id: ['feed_id', 'number'],
  },
  videos: {
    row_no: ['rowid', 'number'],
    id: ['video_id', 'number'],
    medium_id: ['medium_id', 'number'],
    publisher_id: ['publisher_id', 'number'],
  },
} as const satisfies Record<ContentDataset, Readonly<Record<string, readonly [sql: string, kind: LiteralKind]>>>

/** The columns of {@link CONTENT_KEYS} as array literals of equal length. */
export type ContentKeys = Readonly<Record<string, string>>

export interface ContentConflict {
  readonly rowNo: bigint
  /** Of the delivered row. */
  readonly id: bigint
  readonly publisherId: bigint
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
  keys: ContentKeys,
): Promise<ContentConflict[]> {
  await lookUpById(tx)
  const columns = Object.entries(CONTENT_KEYS[dataset]).map(
    ([name, [, kind]]) => [name, kind === 'text' ? 'text' : 'bigint'] as const,
  )
  const given = sql`unnest(${arrays(columns, keys)})
    as d (${sql.raw(columns.map(([name]) => name).join(', '))})`
  const { rows } =
    dataset === 'articles'
      ? await sql<ContentConflict>`select d.row_no, d.id, d.publisher_id, wrong.code from ${given}
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
      : await sql<ContentConflict>`select d.row_no, d.id, d.publisher_id, wrong.code from ${given}
          left join videos k on k.video_id = d.id
          cross join lateral (values ('other-medium', k.medium_id <> d.medium_id),
            ('other-publisher', k.publisher_id <> d.publisher_id)) wrong (code, is_so)
          where wrong.is_so`.execute(tx)
  return rows
}

/** Parameters for `unnest`: the array literals of some columns, each with its type. */
function arrays(columns: readonly (readonly [name: string, type: string])[], page: Readonly<Record<string, string>>) {
  return sql.join(columns.map(([name, type]) => sql`${page[name]}::${sql.raw(type)}[]`))
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

/** How the reading engine writes the columns of a dataset as array literals. Instants are milliseconds. */
export function contentColumns(dataset: ContentDataset): Parameters<typeof arrayLiterals>[0] {
  return Object.fromEntries(
    Object.entries(COLUMNS[dataset]).map(([name, [type, write]]) => {
      if (type === 'jsonb') return [name, [namesSql(name), 'text']]
      if (type === 'text') return [name, [write === asIs || write === shown ? name : `coalesce(${name}, '')`, 'text']]
      return [name, [name, 'number']]
    }),
  )
}

/** The same as {@link names} for a text that needs no cleaning. */
function namesSql(name: string): string {
  return `coalesce(case when starts_with(${name}, '[') then ${name} else '[' || to_json(${name}) || ']' end, '[]')`
}

/** The texts of a delivered row as they are stored. */
export function storedTexts(dataset: ContentDataset, row: EngineRow): Readonly<Record<string, string>> {
  const columns = Object.entries(COLUMNS[dataset]).filter(([name]) => name in row)
  return Object.fromEntries(columns.map(([name, [, write]]) => [name, write(row[name]) as string]))
}

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
 * Whether a stored row has another publisher, or another name on its medium, than the delivery; rows that a later batch
 * wrote do not count. `offset 0` keeps the lateral lookup by id: as a plain join it may scan the whole table.
 */
async function findMovedAndRenamed(tx: Transaction, dataset: ContentDataset, batchNo: bigint, page: ContentPage) {
  const isArticle = dataset === 'articles'
  const keys = isArticle ? ['article_id', 'publisher_id', 'medium_article_id'] : ['video_id', 'publisher_id']
  const id = sql.raw(keys[0]!)
  const isRenamed = isArticle ? sql`bool_or(k.medium_article_id <> d.medium_article_id)` : sql`false`
  const { rows } = await sql<{ isMoved: boolean | null; isRenamed: boolean | null }>`
    select bool_or(k.publisher_id <> d.publisher_id) as "isMoved", ${isRenamed} as "isRenamed"
    from ${delivered(dataset, page, keys)}
      cross join lateral (select k.* from ${sql.raw(CONTENT_TABLES[dataset])} k
        where k.${id} = d.${id} and (k.batch_no is null or k.batch_no <= ${batchNo}::bigint) offset 0) k`.execute(tx)
  return rows[0]!
}

/** Some columns of a page as the relation `d`. */
function delivered(dataset: ContentDataset, page: ContentPage, names: readonly string[]) {
  const types: Readonly<Record<string, readonly [string, unknown]>> = COLUMNS[dataset]
  const typed = names.map(name => [name, types[name]![0]] as const)
  return sql`unnest(${arrays(typed, page)}) as d (${sql.raw(names.join(', '))})`
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
  page: ContentPage,
): Promise<bigint> {
  const isArticle = dataset === 'articles'
  const id = isArticle ? 'article_id' : 'video_id'
  const moved = await sql`update ${sql.raw(CONTENT_TABLES[dataset])} k
    set publisher_id = d.publisher_id, ${sql.raw(isArticle ? 'feed_id = d.feed_id, ' : '')}batch_no = ${batchNo}::bigint
    from ${delivered(dataset, page, [id, 'publisher_id', ...(isArticle ? ['feed_id'] : [])])}
    where k.${sql.raw(id)} = any (${page[id]}::bigint[]) and k.${sql.raw(id)} = d.${sql.raw(id)}
      and k.publisher_id <> d.publisher_id and (k.batch_no is null or k.batch_no <= ${batchNo}::bigint)`.execute(tx)
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
  page: ContentPage,
): Promise<bigint> {
  const columns = Object.entries(COLUMNS[dataset])
  const names = columns.map(([name]) => name).join(', ')
  const stored = columns.map(([name, [type]]) =>
    type === 'timestamptz' ? `timestamptz 'epoch' + ${name} * interval '1 millisecond' as ${name}` : name,
  )
  const arrayTypes = columns.map(([name, [type]]) => [name, type === 'timestamptz' ? 'bigint' : type] as const)
  const given = sql`(select ${sql.raw(stored.join(', '))}
    from unnest(${arrays(arrayTypes, page)}) as u (${sql.raw(names)})) d`
  await lookUpById(tx)
  const { isMoved, isRenamed } = await findMovedAndRenamed(tx, dataset, batchNo, page)
  if (isRenamed) await renameArticles(tx, batchNo, page)
  const movedCount = isMoved ? await movePublishers(tx, dataset, batchNo, page) : 0n
  const [[id = ''] = []] = columns
  const table = CONTENT_TABLES[dataset]
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
async function renameArticles(tx: Transaction, batchNo: bigint, page: ContentPage): Promise<void> {
  await sql`update medium_articles k set medium_article_id = d.medium_article_id, batch_no = ${batchNo}::bigint
    from ${delivered('articles', page, ['article_id', 'medium_article_id'])}
    where k.article_id = any (${page.article_id}::bigint[]) and k.article_id = d.article_id
      and k.medium_article_id <> d.medium_article_id
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
