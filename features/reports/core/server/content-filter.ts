import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import { sql } from 'kysely'
import type { ContentKind } from './content-kind.ts'

/** Filters by master data of articles and videos, which rows of figures do not have. */
export interface MasterFilter {
  /** Normalised by `searchWords`; a title must contain all of them. Empty: not restricted. */
  readonly words: readonly string[]
  /** Feeds of articles; undefined: not restricted. */
  readonly feedIds: readonly bigint[] | undefined
}

export const MAX_TITLE_LENGTH = 200

/** Ids that a statement can list. A filter that matches more is refused and must be narrowed. */
const MAX_ITEMS = 20_000

/**
 * The ids of the articles or videos that match the filter within the scope; undefined: not restricted.
 * @throws a refusal when more than {@link MAX_ITEMS} match
 */
export async function readMatchingItems(
  database: Database,
  scope: Scope,
  kind: ContentKind,
  { words, feedIds }: MasterFilter,
): Promise<readonly bigint[] | undefined> {
  if (words.length === 0 && feedIds === undefined) return undefined
  const ids = await database.inScope(scope, tx =>
    kind.id === 'article_id' ? articlesOf(tx, words, feedIds) : videosOf(tx, words),
  )
  if (ids.length > MAX_ITEMS) refuse('report/too-many-items', ['param', 'title'], { max: MAX_ITEMS })
  return ids
}

async function articlesOf(tx: Transaction, words: readonly string[], feedIds: readonly bigint[] | undefined) {
  let query = tx.selectFrom('mediumArticles as a').select('a.articleId as id')
  if (words.length > 0)
    query = query.where(sql<boolean>`a.article_id in (${found(words, false)} union all ${found(words, true)})`)
  if (feedIds) query = query.where('a.feedId', '=', sql<bigint>`any(${[...feedIds]}::bigint[])`)
  const rows = await query.limit(MAX_ITEMS + 1).execute()
  return rows.map(row => row.id)
}

/** Called for removed and other articles: a removed article still has figures. */
const found = (words: readonly string[], isRemoved: boolean) => sql`
  select f.article_id from app.find_medium_articles(${[...words]}::text[], '', null, null, null, null, null, ${isRemoved},
    'ID_ASC', ${MAX_ITEMS + 1}, 0) f`

async function videosOf(tx: Transaction, words: readonly string[]) {
  const rows = await tx
    .selectFrom('videos as v')
    .select('v.videoId as id')
    .where(holdsWords(sql`app.search_text(v.title)`, words))
    .limit(MAX_ITEMS + 1)
    .execute()
  return rows.map(row => row.id)
}
