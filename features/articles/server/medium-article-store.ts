import type { Permit } from '@pc/domain/access/decide.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'
import { isOfOwnPublisherOnMedium, isOfPublisherIn, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { sql } from 'kysely'

export const MEDIUM_ARTICLE_ORDERS = [...COMMON_LIST_ORDERS, 'PUBLISHEDAT_ASC', 'PUBLISHEDAT_DESC'] as const
export type MediumArticleOrder = (typeof MEDIUM_ARTICLE_ORDERS)[number]
const ORDER_COLUMNS = {
  ID: 'a.articleId',
  CREATEDAT: 'a.createdAt',
  UPDATEDAT: 'a.updatedAt',
  PUBLISHEDAT: 'a.publishedAt',
} as const

export interface MediumArticleFilter {
  readonly mediumId?: bigint | undefined
  readonly publisherId?: bigint | undefined
  readonly feedId?: bigint | undefined
  readonly articleId?: bigint | undefined
  readonly mediumArticleId?: string | undefined
  readonly publishedFrom?: Date | undefined
  readonly publishedTo?: Date | undefined
  /** True: only removed articles; false: only the others. */
  readonly isRemoved: boolean
  readonly search?: ArticleSearch | undefined
}

export interface ArticleSearch {
  /** The typed text: an id or URL finds that article. */
  readonly typed: string
  /** Normalised words of the text; all must occur in the title. */
  readonly words: readonly string[]
}

export interface MediumArticleRow {
  readonly articleId: bigint
  readonly mediumId: bigint
  readonly mediumArticleId: string
  /** Also false when the article was removed. */
  readonly enabled: boolean
  readonly title: string
  readonly url: string
  readonly feedId: bigint | null
  readonly publisherId: bigint
  readonly publishedAt: Date
}

/** Articles within the permit's scope. */
export async function listMediumArticles(
  database: Database,
  filter: MediumArticleFilter,
  order: MediumArticleOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:medium_article.'>,
): Promise<{ total: number; nodes: MediumArticleRow[] }> {
  const [column, direction] = splitOrder(order)
  const way = direction === 'ASC' ? 'asc' : 'desc'
  const reader = database.reader(permit.scope)
  const { search } = filter
  // If the filter names one article, the search text is only checked against that one.
  const isNamed = filter.articleId !== undefined || filter.mediumArticleId !== undefined
  if (search !== undefined && !isNamed) return searchArticles(reader, filter, search, order, page, permit)
  let rows = reader.selectFrom('mediumArticles as a').where(articleScope(permit))
  const removed = sql<boolean>`exists (
      select from medium_article_removals r where r.article_id = a.article_id and r.restored_at is null)`
  rows = rows.where(filter.isRemoved ? removed : sql<boolean>`not ${removed}`)
  if (filter.mediumId !== undefined) rows = rows.where('a.mediumId', '=', filter.mediumId)
  if (filter.publisherId !== undefined) rows = rows.where('a.publisherId', '=', filter.publisherId)
  if (filter.feedId !== undefined) rows = rows.where('a.feedId', '=', filter.feedId)
  if (filter.articleId !== undefined) rows = rows.where('a.articleId', '=', filter.articleId)
  if (filter.mediumArticleId !== undefined) rows = rows.where('a.mediumArticleId', '=', filter.mediumArticleId)
  if (filter.publishedFrom !== undefined) rows = rows.where('a.publishedAt', '>=', instant(filter.publishedFrom))
  if (filter.publishedTo !== undefined) rows = rows.where('a.publishedAt', '<', instant(filter.publishedTo))
  for (const word of search?.words ?? []) rows = rows.where(titleHas(word))
  const nodes = await rows
    .select(COLUMNS)
    .select(filter.isRemoved ? sql<boolean>`false`.as('enabled') : 'a.enabled')
    .orderBy(ORDER_COLUMNS[column], way)
    .orderBy('a.articleId', way)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  // The page comes from an index in order; the total is counted separately, and only when the page does not tell it.
  if (nodes.length < page.limit && (nodes.length > 0 || page.offset === 0))
    return { total: page.offset + nodes.length, nodes }
  if (isCounted(filter)) return { total: await countArticles(reader, filter), nodes }
  const { total } = await rows.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  return { total: Number(total), nodes }
}

/** Whether the total is available in `app.medium_article_counts`, so that rows need not be counted. */
function isCounted({ mediumId, publisherId, isRemoved, ...others }: MediumArticleFilter): boolean {
  return !isRemoved && Object.values(others).every(value => value === undefined)
}

async function countArticles(reader: Reader, { mediumId, publisherId }: MediumArticleFilter): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select app.count_medium_articles(${mediumId ?? null}::bigint, ${publisherId ?? null}::bigint) as total`.execute(
    reader,
  )
  return Number(rows[0]!.total)
}

const COLUMNS = [
  'a.articleId',
  'a.mediumId',
  'a.mediumArticleId',
  'a.title',
  'a.url',
  'a.feedId',
  'a.publisherId',
  'a.publishedAt',
] as const

/** Reads ids and total from the search table, then the rows of the page. */
async function searchArticles(
  reader: Reader,
  filter: MediumArticleFilter,
  { typed, words }: ArticleSearch,
  order: MediumArticleOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:medium_article.'>,
): Promise<{ total: number; nodes: MediumArticleRow[] }> {
  const find = (most: number, skipped: number) =>
    sql<{ articleId: bigint; total: bigint }>`select article_id, total from app.find_medium_articles(
      ${words}::text[], ${typed}, ${filter.mediumId ?? null}::bigint, ${filter.publisherId ?? null}::bigint,
      ${filter.feedId ?? null}::bigint, ${filter.publishedFrom?.toISOString() ?? null}::timestamptz,
      ${filter.publishedTo?.toISOString() ?? null}::timestamptz, ${filter.isRemoved}, ${order}, ${most}, ${skipped})`.execute(
      reader,
    )
  const { rows: found } = await find(page.limit, page.offset)
  const [first] = found
  if (first === undefined) {
    const beyond = page.offset === 0 ? undefined : (await find(1, 0)).rows[0]
    return { total: Number(beyond?.total ?? 0n), nodes: [] }
  }
  const ids = found.map(one => one.articleId)
  const rows = await reader
    .selectFrom('mediumArticles as a')
    .where(articleScope(permit))
    .where('a.articleId', '=', sql<bigint>`any(${ids}::bigint[])`)
    .select(COLUMNS)
    .select(filter.isRemoved ? sql<boolean>`false`.as('enabled') : 'a.enabled')
    .execute()
  const byId = new Map(rows.map(row => [row.articleId, row]))
  return { total: Number(first.total), nodes: ids.flatMap(id => byId.get(id) ?? []) }
}

/** A timestamp as text, because statements of a reader take only plain values. */
const instant = (at: Date) => sql<Date>`${at.toISOString()}::timestamptz`

function titleHas(word: string) {
  return sql<boolean>`app.search_text(a.title) like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}

/** The permit's scope as SQL condition; row-level security enforces the same again. */
export function articleScope(permit: Permit) {
  return ownRows(permit, {
    organization: id => isOfPublisherIn(sql`a.publisher_id`, id),
    agreements: uid => isOfOwnPublisherOnMedium(sql`a.publisher_id`, sql`a.medium_id`, uid),
  })
}
