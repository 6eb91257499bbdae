import { ARTICLE_LABEL_NOS } from '@pc/domain/report/article-label.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { ArticleLabel } from '@pc/platform/stats/port.ts'
import { sql as statement, table } from '@pc/platform/stats/sql.ts'
import { sql } from 'kysely'
import type { IngestContext } from './ingest-context.ts'

const ARTICLES_AT_ONCE = 5_000
/** Before the first batch: articles that came by no delivery count as batch 0. */
const NOTHING = -1n

/**
 * Tells the statistics store the authors, sections and tags of the articles that batches have written since it was told
 * last. It knows them up to the greatest batch number in it, because batches get their numbers in the order in which they
 * write. To be called inside of a turn to import; repeating it changes nothing.
 */
export async function publishLabels({ database, stats }: Pick<IngestContext, 'database' | 'stats'>): Promise<void> {
  const [row] = await stats.query(statement`select max(batch_no) as known_until from ${table('article_label')}`)
  const knownUntil = (row?.known_until ?? NOTHING) as bigint
  const [newest] = await database.inScope(SYSTEM, async tx => {
    const found = sql<{ batchNo: bigint }>`select coalesce(batch_no, 0) as batch_no from medium_articles
      order by coalesce(batch_no, 0) desc, article_id desc limit 1`
    return (await found.execute(tx)).rows
  })
  if (newest === undefined || newest.batchNo <= knownUntil) return
  await stats.putArticleLabels(readLabels(database, knownUntil))
}

interface LabelledArticle {
  readonly articleId: bigint
  readonly publisherId: bigint
  readonly batchNo: bigint
  /** Null: none was delivered. */
  readonly authors: readonly bigint[] | null
  readonly sections: readonly bigint[] | null
  readonly tags: readonly bigint[] | null
}

async function* readLabels(database: Database, knownUntil: bigint): AsyncIterable<ArticleLabel[]> {
  let after = { batchNo: knownUntil, articleId: MOST_ARTICLE_ID }
  for (;;) {
    const articles = await database.inScope(SYSTEM, async tx => {
      const page = sql<LabelledArticle>`
        select a.article_id, a.publisher_id, coalesce(a.batch_no, 0) as batch_no,
          case when a.authors <> '[]' then app.article_label_ids(a.publisher_id, 'author', a.authors) end as authors,
          case when a.section <> '' then app.article_label_ids(a.publisher_id, 'section', jsonb_build_array(a.section)) end
            as sections,
          case when a.tags <> '[]' then app.article_label_ids(a.publisher_id, 'tag', a.tags) end as tags
        from medium_articles a
        where (coalesce(a.batch_no, 0), a.article_id) > (${after.batchNo}::bigint, ${after.articleId}::bigint)
        order by coalesce(a.batch_no, 0), a.article_id limit ${ARTICLES_AT_ONCE}`
      return (await page.execute(tx)).rows
    })
    const last = articles.at(-1)
    if (last === undefined) return
    after = last
    yield articles.flatMap(labelsOf)
  }
}

const MOST_ARTICLE_ID = 2n ** 63n - 1n

function labelsOf({ articleId, publisherId, batchNo, authors, sections, tags }: LabelledArticle): ArticleLabel[] {
  const rows = (kindNo: bigint, labelIds: readonly bigint[] | null) =>
    (labelIds ?? []).map(labelId => ({ publisherId, articleId, kindNo, labelId, batchNo }))
  return [
    ...rows(ARTICLE_LABEL_NOS.author, authors),
    // Without a section as well: the store knows every article, and until which batch.
    ...rows(ARTICLE_LABEL_NOS.section, sections?.length ? sections : [0n]),
    ...rows(ARTICLE_LABEL_NOS.tag, tags),
  ]
}
