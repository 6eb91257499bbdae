import { useQuery } from '@apollo/client/react'
import { type FilterCondition, type FilteredReport, REPORT_FILTERS } from '@pc/domain/condition/entity-filter.ts'
import {
  ARTICLE_LABEL_KINDS,
  ARTICLE_LABEL_NOUNS,
  type ArticleLabelKind,
  MAX_LABELS,
} from '@pc/domain/report/article-label.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { ARTICLES_ONLY, isOfArticles } from '../../articles-only.ts'
import { ReportLabelsDocument, type ReportLabelsQuery } from './label-options.gen.ts'
import styles from './report.module.css'
import type { FigureValues } from './report-figures.tsx'
import { SearchedFilter } from './searched-filter.tsx'

type FoundLabel = NonNullable<ReportLabelsQuery['articleLabels']>['nodes'][number]
type LabelChange = { readonly [Kind in ArticleLabelKind as `${Kind}Id`]?: readonly string[] }

interface LabelFiltersProps {
  report: FilteredReport
  condition: FilterCondition
  onChange: (change: LabelChange) => void
  viewer: Viewer
  /** The names of the chosen labels when the report's answer has them; otherwise the filter queries them. */
  labels?: readonly (FoundLabel & { readonly kind: ArticleLabelKind })[]
}

const NOTHING: readonly never[] = []

/** The label filters that the report has. Within a kind any chosen label matches; several kinds must all match. */
export function LabelFilters({ report, condition, onChange, viewer, labels }: LabelFiltersProps) {
  if (!viewer.can('read:list', 'insight:article_stats.')) return null
  return ARTICLE_LABEL_KINDS.filter(kind => `${kind}Id` in REPORT_FILTERS[report]).map(kind => (
    <LabelFilter
      key={kind}
      kind={kind}
      value={condition[`${kind}Id`] ?? NOTHING}
      onChange={ids => onChange({ [`${kind}Id`]: ids })}
      publisherIds={condition.publisherId ?? NOTHING}
      named={labels?.filter(label => label.kind === kind)}
    />
  ))
}

interface LabelFilterProps {
  kind: ArticleLabelKind
  value: readonly string[]
  onChange: (ids: readonly string[]) => void
  /** Publishers whose labels are offered; empty: all. */
  publisherIds: readonly string[]
  named: readonly FoundLabel[] | undefined
}

function LabelFilter({ kind, value, onChange, publisherIds, named }: LabelFilterProps) {
  const { data, previousData } = useQuery(ReportLabelsDocument, {
    variables: { param: { kind, ids: value } },
    skip: named !== undefined || value.length === 0,
  })
  return (
    <SearchedFilter<ReportLabelsQuery, FoundLabel>
      label={ARTICLE_LABEL_NOUNS[kind]}
      document={ReportLabelsDocument}
      variables={{ param: { kind, ...(publisherIds.length > 0 ? { publisherIds } : {}) } }}
      pick={found => found.articleLabels}
      named={named ?? (data ?? previousData)?.articleLabels?.nodes ?? NOTHING}
      labelOf={nameAmong}
      most={MAX_LABELS}
      hint={`選んだ${ARTICLE_LABEL_NOUNS[kind]}のいずれかを含む記事を集計します。`}
      value={value}
      onChange={onChange}
    />
  )
}

/** The note that a report filtered by label contains figures of articles only. */
export function ArticlesOnlyNote() {
  return <p className={styles.note}>{ARTICLES_ONLY}</p>
}

/** The values of a report that contains figures of articles only: all other columns are null. */
export function valuesOfArticles<Figures>(values: FigureValues<Figures>): FigureValues<Figures> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, isOfArticles(id) ? value : () => null]))
}

/** A label's name, with its publisher when labels of several publishers are listed, because names can be equal. */
function nameAmong({ id, name, publisherId, publisherName }: FoundLabel, all: readonly FoundLabel[]): string {
  const own = name ?? `ID ${id}`
  const isAlone = all.every(label => label.publisherId === publisherId)
  return isAlone ? own : `${own}（${publisherName ?? `ID ${publisherId}`}）`
}
