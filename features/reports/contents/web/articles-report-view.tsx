import { hasLabels } from '@pc/domain/condition/filter-conversions.ts'
import {
  ARTICLE_LABEL_KINDS,
  ARTICLE_LABEL_NOUNS,
  type ArticleLabelKind,
  isArticleLabelKind,
} from '@pc/domain/report/article-label.ts'
import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { isSortableBy } from '@pc/ui/list/list-order.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { createContext, use } from 'react'
import { ARTICLE_COLUMNS } from '../../article-columns.ts'
import {
  ARTICLE_DATE_ORDERS,
  ARTICLE_ORDERS,
  ARTICLES_TABLES,
  type ArticlesCondition,
  articlesCondition,
} from '../../content-condition.ts'
import { ARTICLE_METRICS } from '../../core/web/explanation.tsx'
import { LabelFilters } from '../../core/web/label-filters.tsx'
import { useReportTools } from '../../core/web/report-tools.tsx'
import { seesRevenueDetail } from '../../core/web/revenue-detail-right.ts'
import type { Tile } from '../../core/web/tiles.tsx'
import { articleReportPath } from '../../links.ts'
import { ARTICLE_GROUPS, LabelCell, LabelNote } from './article-labels.tsx'
import type { ArticleRowFragment, ArticlesReportQuery } from './articles-report.gen.ts'
import { ARTICLE_VALUES, type ArticleFigures } from './content-figures.ts'
import { ContentList, type ContentTable } from './content-list.tsx'
import { contentOrder } from './content-order.ts'

export const ARTICLE_SERIES: readonly ChartSeries[] = [
  { key: 'impression', label: '表示回数', unit: '回', shape: 'bar', color: 'var(--series-3)' },
  { key: 'click', label: 'クリック数', unit: '回', shape: 'line', color: 'var(--series-2)' },
]

export function articleSeriesValues(row: ArticleFigures | undefined): Record<string, number | null> {
  return { impression: row?.impression ?? null, click: row?.click ?? null }
}

export function articleTiles(totals: ArticleRowFragment | undefined): readonly Tile[] {
  const before = totals?.compared
  return [
    {
      id: 'IMPRESSION',
      label: '表示回数',
      unit: 'count',
      suffix: '回',
      now: totals?.impression,
      before: before?.impression,
    },
    { id: 'CLICK', label: 'クリック数', unit: 'count', suffix: '回', now: totals?.click, before: before?.click },
    { id: 'CTR', label: 'クリック率', unit: 'percent', now: totals?.ctr, before: before?.ctr },
    {
      id: 'REVENUE',
      label: '収益',
      unit: 'yen',
      suffix: '円',
      now: totals?.publisherTotalRevenue,
      before: before?.publisherTotalRevenue,
    },
    {
      id: 'RPM',
      label: 'RPM（表示1,000回あたり）',
      unit: 'yen-tenths',
      suffix: '円',
      now: totals?.rpm,
      before: before?.rpm,
    },
  ]
}

const ARTICLES: ContentTable<ArticleFigures, ArticleRowFragment> = {
  ...{ title: '記事レポート', noun: '記事', report: 'articles', values: ARTICLE_VALUES, metrics: ARTICLE_METRICS },
  isSortable: isSortableBy(ARTICLE_ORDERS),
  ...{ tiles: articleTiles, series: ARTICLE_SERIES, seriesValues: articleSeriesValues },
  ...{ of: 'article', ownFilter: row => ({ contentIds: [row.articleId ?? ''] }) },
  idOf: row => row.articleId ?? '',
  pathOf: row => articleReportPath(row.articleId ?? '', row.publisherId ?? ''),
}

/** Replaces `labelId` of an earlier version's address by filters per kind; undefined until the labels' kinds are known. */
function kindsOf(
  condition: ArticlesCondition,
  labels: readonly { readonly id: string; readonly kind: ArticleLabelKind }[],
): Partial<ArticlesCondition> | undefined {
  const known = labels.filter(({ id }) => condition.labelId.includes(id))
  if (known.length === 0) return undefined
  const entries = ARTICLE_LABEL_KINDS.map(kind => {
    const param = `${kind}Id` as const
    const ids = known.filter(label => label.kind === kind).map(({ id }) => id)
    return [param, [...new Set([...condition[param], ...ids])]] as const
  })
  const labelId = condition.labelId.filter(id => known.every(label => label.id !== id))
  return { ...Object.fromEntries(entries), labelId }
}

const Condition = createContext(articlesCondition.defaults)

/** Reads the condition from context, because tables are created once and cannot capture it. */
function LabelHeading({ label, kind }: { label: ArticleRowFragment['label']; kind: ArticleLabelKind }) {
  return <LabelCell label={label} kind={kind} condition={use(Condition)} />
}

/** The row of the articles that have no author, section or tag. */
const NO_LABEL_ID = '0'

const tableOf = (kind: ArticleLabelKind): ContentTable<ArticleFigures, ArticleRowFragment> => ({
  ...ARTICLES,
  noun: ARTICLE_LABEL_NOUNS[kind],
  idOf: row => row.label?.id ?? '',
  isRow: row => row.label !== null,
  ownFilter: row => ({ filter: { [`${kind}Id`]: [row.label?.id ?? ''] } }),
  // No filter can select articles without a label, so their row has no explanation.
  isExplained: row => row.label?.id !== NO_LABEL_ID,
  isOverlapping: kind !== 'section',
  labelOf: row => row.label?.name ?? undefined,
  infoCells: { label: row => <LabelHeading label={row.label} kind={kind} /> },
  moreCells: { articles: row => <span className="num">{formatInteger(row.articles)}</span> },
})

/** Created once: a new table object on every render would render every row again. */
const TABLES = {
  article: { ...ARTICLES, isRow: (row: ArticleRowFragment) => row.label === null },
  ...{ author: tableOf('author'), section: tableOf('section'), tag: tableOf('tag') },
}

/** The articles report, by article, period, author, section or tag. */
export function ArticlesReportView(props: ScreenProps<ArticlesCondition, ArticlesReportQuery>) {
  const { data, viewer, today } = props
  const labels = data?.stats?.filterLabels ?? []
  const earlier = kindsOf(props.condition, labels)
  const condition = earlier ? { ...props.condition, ...earlier } : props.condition
  const setCondition: typeof props.setCondition = earlier
    ? change => props.setCondition({ ...earlier, ...change })
    : props.setCondition
  const { groupBy } = condition
  const table = isArticleLabelKind(groupBy) ? TABLES[groupBy] : TABLES.article
  const nodes = data?.stats?.nodes ?? []
  const report = groupBy === 'article' ? 'articles' : (`articles-by-${groupBy}` as const)
  const tools = useReportTools({
    ...{ screen: 'articles', tables: ARTICLES_TABLES, definition: articlesCondition },
    ...{ report, allColumns: ARTICLE_COLUMNS[report], condition, setCondition, viewer },
  })
  return (
    <Condition value={condition}>
      <ContentList<ArticleFigures, ArticleRowFragment>
        table={table}
        condition={condition}
        onChange={setCondition}
        groups={ARTICLE_GROUPS}
        group={groupBy}
        onGroup={group => setCondition({ groupBy: articlesCondition.parse(`groupBy=${group}`).groupBy, page: 1 })}
        moreFilters={
          <LabelFilters
            report="articles"
            condition={condition}
            viewer={viewer}
            labels={labels}
            onChange={next => setCondition({ ...next, page: 1 })}
          />
        }
        note={
          isArticleLabelKind(groupBy) && (
            <LabelNote
              kind={groupBy}
              isStaff={seesRevenueDetail(viewer)}
              isNothingDelivered={
                nodes.length === 1 &&
                nodes[0]?.label?.id === NO_LABEL_ID &&
                !hasLabels(condition) &&
                condition.labelId.length === 0
              }
            />
          )
        }
        {...contentOrder(condition, setCondition, ARTICLE_ORDERS, ARTICLE_DATE_ORDERS)}
        stats={data?.stats}
        tools={tools}
        viewer={viewer}
        today={today}
        isLoading={props.isLoading}
        error={props.error}
        retry={props.retry}
      />
    </Condition>
  )
}
