import { FILTERS } from '@pc/domain/condition/entity-filter.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import {
  ARTICLE_LABEL_KINDS,
  ARTICLE_LABEL_NOS,
  type ArticleLabelFilter,
  type ArticleLabelKind,
  MAX_LABELS,
} from '@pc/domain/report/article-label.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { joined, none, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import { readIds } from './entity-argument.ts'
import { type ArticleLabelName, readLabelNames } from './label-names.ts'
import { isOneOf } from './statement-parts.ts'

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
 * Labels of which only the ids are known, each as one of its kind: filters of earlier versions named them so. What the
 * reader's scope does not see lets nothing through, as ever.
 */
export async function withKinds<Given extends LabelArguments>(
  reader: Reader,
  given: Given,
): Promise<Result<Given, Refusal<RefusalCode>>> {
  const { labelIds, ...rest } = given
  const refusals: Refusal<RefusalCode>[] = []
  const ids = readIds(labelIds, ['param', 'labelIds'], refusals, MAX_LABELS)
  if (refusals.length > 0) return refused(...refusals)
  if (!ids || ids.length === 0) return ok(given)
  const labels = await readLabelNames(reader, ids)
  const idsOf = (kind: ArticleLabelKind) => ids.filter(id => (labels.get(id)?.kind ?? 'author') === kind)
  const added = ARTICLE_LABEL_KINDS.flatMap(kind => {
    const name = FILTERS[`${kind}Id`]
    const more = idsOf(kind).map(String)
    return more.length === 0 ? [] : [[name, [...new Set([...(rest[name] ?? []), ...more])]] as const]
  })
  return ok({ ...given, ...Object.fromEntries(added), labelIds: undefined })
}

interface LabelArguments {
  readonly authorIds?: readonly string[] | null | undefined
  readonly sectionIds?: readonly string[] | null | undefined
  readonly tagIds?: readonly string[] | null | undefined
  readonly labelIds?: readonly string[] | null | undefined
}

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
