import { ARTICLE_LABEL_KINDS, ARTICLE_LABEL_NOS, type ArticleLabelFilter } from '@pc/domain/report/article-label.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { joined, none, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import { type ArticleLabelName, readLabelNames } from './label-names.ts'
import { isOneOf } from './report-scope.ts'

/** The labels of a filter that the reader's scope may see. */
export function readLabelsOf(
  reader: Reader,
  filter: ArticleLabelFilter<bigint> | undefined,
): Promise<ReadonlyMap<bigint, ArticleLabelName>> {
  return readLabelNames(reader, filter ? labelIdsOf(filter) : [])
}

const labelIdsOf = (filter: ArticleLabelFilter<bigint>) => [
  ...new Set(ARTICLE_LABEL_KINDS.flatMap(kind => filter[kind] ?? [])),
]

/**
 * Rows of articles that carry one of the labels of each kind, to be appended to another condition. A label belongs to one
 * publisher, whose rows alone it can let through; where these are known, the engine skips the labels of others.
 */
export function carriesLabels(
  filter: ArticleLabelFilter<bigint> | undefined,
  knownPublisherIds: readonly bigint[] | undefined,
): Sql {
  if (!filter) return none
  const publishers = knownPublisherIds ? sql` and ${isOneOf('publisher_id', knownPublisherIds)}` : none
  const conditions = ARTICLE_LABEL_KINDS.flatMap(kind => {
    const ids = filter[kind]
    if (!ids) return []
    return sql` and (publisher_id, article_id) in (
      select publisher_id, article_id from ${table('article_label')}
      where kind_no = ${ARTICLE_LABEL_NOS[kind]} and label_id in ${ids}${publishers})`
  })
  return joined(conditions, none)
}
