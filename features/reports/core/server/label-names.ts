import { ARTICLE_LABEL_KINDS, type ArticleLabelFilter, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { holdsWords, pageOf } from '@pc/platform/postgres/page-of-ids.ts'
import { sql } from 'kysely'

/** An author, a section or a tag of a publisher. */
export interface ArticleLabelName {
  /** 0: the articles that have none of the kind. */
  readonly id: bigint
  readonly kind: ArticleLabelKind
  /** Null for label 0, and where the scope does not see the publisher. */
  readonly name: string | null
  readonly publisherId: bigint | null
  readonly publisherName: string | null
}

/** Names by label id, for publishers within the reader's scope. */
export async function readLabelNames(
  reader: Reader,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ArticleLabelName>> {
  return new Map((await readLabels(reader, ids)).map(label => [label.id, label]))
}

/** The labels of a filter that the reader's scope may see. */
export function readLabelsOf(
  reader: Reader,
  filter: ArticleLabelFilter<bigint> | undefined,
): Promise<ReadonlyMap<bigint, ArticleLabelName>> {
  return readLabelNames(reader, [...new Set(ARTICLE_LABEL_KINDS.flatMap(kind => filter?.[kind] ?? []))])
}

async function readLabels(reader: Reader, ids: readonly bigint[]): Promise<ArticleLabelName[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('articleLabels as l')
    .leftJoin('publishers as p', 'p.id', 'l.publisherId')
    .select(['l.id', 'l.kind', 'l.name', 'l.publisherId', 'p.name as publisherName'])
    .where('l.id', '=', sql<bigint>`any(${[...ids]}::bigint[])`)
    .execute()
  return rows.map(row => ({ ...row, kind: row.kind as ArticleLabelKind }))
}

export interface LabelSearch {
  readonly kind: ArticleLabelKind
  /** Normalised search words, all of which the name must contain. */
  readonly words: readonly string[]
  /** Undefined: all publishers within the reader's scope. */
  readonly publisherIds: readonly bigint[] | undefined
  /** Undefined: all of them. */
  readonly ids: readonly bigint[] | undefined
}

/**
 * The labels of one kind by name, of those publishers that the reader's scope may see.
 * Tested by `features/reports/contents/server/label-report.test.ts`.
 */
export function listLabels(
  reader: Reader,
  { kind, words, publisherIds, ids }: LabelSearch,
  page: Page,
): Promise<{ total: number; nodes: ArticleLabelName[] }> {
  const list = {
    from: sql`article_labels l`,
    id: sql`l.id`,
    where: [
      sql<boolean>`l.kind = ${kind}`,
      ...(publisherIds ? [sql<boolean>`l.publisher_id = any(${[...publisherIds]}::bigint[])`] : []),
      ...(ids ? [sql<boolean>`l.id = any(${[...ids]}::bigint[])`] : []),
    ],
    search: words.length === 0 ? undefined : { holds: holdsWords(sql`l.search_text`, words) },
    order: sql`l.name`,
    direction: 'ASC' as const,
    ...page,
  }
  return pageOf(reader, list, async ids => {
    const labels = await readLabelNames(reader, ids)
    return ids.flatMap(id => labels.get(id) ?? [])
  })
}

/**
 * An article's authors, section and tags, in the spelling and order of its delivery. In the SQL `given` are the names as
 * delivered, with `place` (kind) and `at` (position) for the order; `l` is the label with the same normalised name.
 */
export async function readLabelsOfArticle(reader: Reader, articleId: bigint): Promise<readonly ArticleLabelName[]> {
  const { rows } = await sql<ArticleLabelName>`
    select l.id, l.kind, given.name, l.publisher_id, p.name as publisher_name
    from medium_articles a cross join lateral (
      select 1 as place, 'author' as kind, n.name, n.at from jsonb_array_elements_text(a.authors) with ordinality n (name, at)
      union all select 2, 'section', a.section, 1 where a.section <> ''
      union all select 3, 'tag', n.name, n.at from jsonb_array_elements_text(a.tags) with ordinality n (name, at)) given
    join article_labels l on l.publisher_id = a.publisher_id and l.kind = given.kind and l.key = app.label_key(given.name)
    left join publishers p on p.id = l.publisher_id
    where a.article_id = ${articleId}
    order by given.place, given.at`.execute(reader)
  return rows
}
