import { FILTERS } from '@pc/domain/condition/entity-filter.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ARTICLE_LABEL_KINDS, type ArticleLabelKind, MAX_LABELS } from '@pc/domain/report/article-label.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { readIds } from '../../core/server/entity-argument.ts'
import { readLabelNames } from '../../core/server/label-names.ts'

/**
 * Sorts `labelIds`, which filters of earlier versions used, into author, section and tag ids. Ids outside the reader's scope
 * make the filter match nothing.
 * Tested by `features/reports/contents/server/label-report.test.ts`.
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
