import type { ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** An author, a section or a tag of a publisher. */
export interface ArticleLabelName {
  /** 0: the articles that have none of the kind. */
  readonly id: bigint
  readonly kind: ArticleLabelKind
  /** Null where there is none, or the scope does not see the publisher. */
  readonly name: string | null
  readonly publisherId: bigint | null
}

/** By id, of those publishers that the reader's scope may see. */
export async function readLabelNames(
  reader: Reader,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ArticleLabelName>> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('articleLabels')
    .select(['id', 'kind', 'name', 'publisherId'])
    .where('id', '=', sql<bigint>`any(${[...ids]}::bigint[])`)
    .execute()
  return new Map(rows.map(row => [row.id, { ...row, kind: row.kind as ArticleLabelKind }]))
}

/** What an article carries, in the spelling and the order of its delivery: authors, section, tags. */
export async function readLabelsOfArticle(reader: Reader, articleId: bigint): Promise<readonly ArticleLabelName[]> {
  const { rows } = await sql<ArticleLabelName>`
    select l.id, l.kind, given.name, l.publisher_id
    from medium_articles a cross join lateral (
      select 1 as place, 'author' as kind, n.name, n.at from jsonb_array_elements_text(a.authors) with ordinality n (name, at)
      union all select 2, 'section', a.section, 1 where a.section <> ''
      union all select 3, 'tag', n.name, n.at from jsonb_array_elements_text(a.tags) with ordinality n (name, at)) given
    join article_labels l on l.publisher_id = a.publisher_id and l.kind = given.kind and l.key = app.label_key(given.name)
    where a.article_id = ${articleId}
    order by given.place, given.at`.execute(reader)
  return rows
}
