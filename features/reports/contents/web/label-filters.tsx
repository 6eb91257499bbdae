import {
  ARTICLE_LABEL_KINDS,
  ARTICLE_LABEL_NOUNS,
  type ArticleLabelKind,
  MAX_LABELS,
} from '@pc/domain/report/article-label.ts'
import type { ArticlesCondition } from '../../content-condition.ts'
import { SearchedFilter } from '../../core/web/report-filters.tsx'
import { ReportLabelsDocument, type ReportLabelsQuery } from './label-options.gen.ts'

interface FoundLabel {
  readonly id: string
  readonly name: string | null
  readonly publisherId: string | null
  readonly publisherName: string | null
}

interface LabelFiltersProps {
  condition: ArticlesCondition
  onChange: (change: Partial<ArticlesCondition>) => void
  /** Those of the condition, with their names. */
  labels: readonly (FoundLabel & { readonly kind: ArticleLabelKind })[]
}

/** Authors, sections and tags: articles have any of those chosen of each kind. */
export function LabelFilters({ condition, onChange, labels }: LabelFiltersProps) {
  const { publisherId } = condition
  return ARTICLE_LABEL_KINDS.map(kind => (
    <SearchedFilter<ReportLabelsQuery, FoundLabel>
      key={kind}
      label={ARTICLE_LABEL_NOUNS[kind]}
      document={ReportLabelsDocument}
      variables={{ param: { kind, ...(publisherId.length > 0 ? { publisherIds: publisherId } : {}) } }}
      pick={data => data.articleLabels}
      named={labels.filter(label => label.kind === kind)}
      labelOf={nameAmong}
      most={MAX_LABELS}
      hint={`選んだ${ARTICLE_LABEL_NOUNS[kind]}のいずれかを含む記事を表示します。`}
      value={condition[`${kind}Id`]}
      onChange={ids => onChange({ [`${kind}Id`]: ids })}
    />
  ))
}

/** Two publishers may have the same name: each says whose it is, where there is more than one of them. */
function nameAmong({ id, name, publisherId, publisherName }: FoundLabel, all: readonly FoundLabel[]): string {
  const own = name ?? `ID ${id}`
  const isAlone = all.every(label => label.publisherId === publisherId)
  return isAlone ? own : `${own}（${publisherName ?? `ID ${publisherId}`}）`
}
