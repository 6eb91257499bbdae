import { useApolloClient } from '@apollo/client/react'
import type { ChartSeries } from '@pc/ui/chart/time-series.tsx'
import type { ScreenProps } from '@pc/ui/define-route.ts'
import { formatInteger, formatShare } from '@pc/ui/format.ts'
import { orderOfSort } from '@pc/ui/list/list-order.ts'
import { loadAll } from '@pc/ui/list/load-all.ts'
import { ARTICLE_DATE_ORDERS, ARTICLE_ORDERS, type ArticlesCondition, CONTENT_PAGE_SIZE } from '../content-condition.ts'
import { articleReportPath } from '../links.ts'
import { type ArticleRowFragment, ArticlesReportDocument, type ArticlesReportQuery } from './articles-report.gen.ts'
import { type ArticleFigures, articleFigures, tenths } from './content-figures.ts'
import { ContentList } from './content-list.tsx'
import { articlesReportQuery } from './content-query.ts'
import type { Tile } from './report-figures.tsx'

export const ARTICLE_SERIES: readonly ChartSeries[] = [
  { key: 'impression', label: '表示回数', unit: '回', shape: 'bar', color: 'var(--series-3)' },
  { key: 'click', label: 'クリック数', unit: '回', shape: 'line', color: 'var(--series-2)' },
]

export function articleSeriesValues(row: ArticleRowFragment | undefined): Record<string, number | null> {
  return { impression: row?.impression ?? null, click: row?.click ?? null }
}

export function articleTiles(totals: ArticleRowFragment): readonly Tile[] {
  const before = totals.compared
  return [
    {
      label: '表示回数',
      text: formatInteger(totals.impression),
      unit: '回',
      now: totals.impression,
      before: before?.impression,
    },
    { label: 'クリック数', text: formatInteger(totals.click), unit: '回', now: totals.click, before: before?.click },
    { label: 'クリック率', text: formatShare(totals.click, totals.impression), now: totals.ctr, before: before?.ctr },
    {
      label: '収益',
      text: formatInteger(totals.publisherTotalRevenue),
      unit: '円',
      now: totals.publisherTotalRevenue,
      before: before?.publisherTotalRevenue,
    },
    { label: 'RPM（表示1,000回あたり）', text: tenths(totals.rpm), unit: '円', now: totals.rpm, before: before?.rpm },
  ]
}

/** Articles, or the days of all articles. */
export function ArticlesReportView(props: ScreenProps<ArticlesCondition, ArticlesReportQuery>) {
  const { condition, setCondition, data, viewer, today } = props
  const client = useApolloClient()
  const isByDate = condition.groupBy === 'date'
  const hasDetail = viewer.can('read:show', 'insight:revenue_detail.')
  return (
    <ContentList<ArticleFigures, ArticleRowFragment>
      title="記事レポート"
      noun="記事"
      condition={condition}
      onChange={setCondition}
      isByDate={isByDate}
      onGroup={byDate => setCondition({ groupBy: byDate ? 'date' : 'article', page: 1 })}
      order={isByDate ? condition.dateOrder : condition.order}
      onSort={sort => {
        const order = orderOfSort(sort, ARTICLE_ORDERS)
        const dateOrder = orderOfSort(sort, ARTICLE_DATE_ORDERS)
        if (isByDate && dateOrder) setCondition({ dateOrder, page: 1 })
        else if (!isByDate && order) setCondition({ order, page: 1 })
      }}
      pageSize={isByDate ? 1000 : CONTENT_PAGE_SIZE}
      stats={data?.stats}
      figures={articleFigures(hasDetail)}
      tiles={articleTiles}
      series={ARTICLE_SERIES}
      seriesValues={articleSeriesValues}
      idOf={row => row.articleId ?? ''}
      pathOf={row => articleReportPath(row.articleId ?? '', row.publisherId ?? '')}
      fileName="articles"
      loadAll={() =>
        loadAll(async page => {
          const variables = { ...articlesReportQuery.variables(condition, { today, viewer }), ...page }
          return (await client.query({ query: ArticlesReportDocument, variables })).data?.stats
        })
      }
      viewer={viewer}
      today={today}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
    />
  )
}
