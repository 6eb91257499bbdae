import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import type { ScreenProps } from '@pc/ui/define-route.ts'
import { orderOfSort } from '@pc/ui/list/list-order.ts'
import {
  ARTICLE_DATE_ORDERS,
  ARTICLE_ORDERS,
  type ArticlesCondition,
  articlesCondition,
  CONTENT_PAGE_SIZE,
} from '../content-condition.ts'
import { articleReportPath } from '../links.ts'
import type { ArticleRowFragment, ArticlesReportQuery } from './articles-report.gen.ts'
import { ARTICLE_VALUES, type ArticleFigures } from './content-figures.ts'
import { ContentList, type ContentTable } from './content-list.tsx'
import { ARTICLES_TABLES } from './content-query.ts'
import type { Tile } from './report-figures.tsx'
import { useReportTools } from './report-tools.tsx'

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
    { label: '表示回数', unit: 'count', suffix: '回', now: totals?.impression, before: before?.impression },
    { label: 'クリック数', unit: 'count', suffix: '回', now: totals?.click, before: before?.click },
    { label: 'クリック率', unit: 'percent', now: totals?.ctr, before: before?.ctr },
    {
      label: '収益',
      unit: 'yen',
      suffix: '円',
      now: totals?.publisherTotalRevenue,
      before: before?.publisherTotalRevenue,
    },
    { label: 'RPM（表示1,000回あたり）', unit: 'yen-tenths', suffix: '円', now: totals?.rpm, before: before?.rpm },
  ]
}

const ARTICLES: ContentTable<ArticleFigures, ArticleRowFragment> = {
  ...{ title: '記事レポート', noun: '記事', report: 'articles', values: ARTICLE_VALUES },
  isSortable: id => ARTICLE_ORDERS.some(order => order === `${id}_DESC`),
  ...{ tiles: articleTiles, series: ARTICLE_SERIES, seriesValues: articleSeriesValues },
  idOf: row => row.articleId ?? '',
  pathOf: row => articleReportPath(row.articleId ?? '', row.publisherId ?? ''),
}

/** Articles, or the days of all articles. */
export function ArticlesReportView(props: ScreenProps<ArticlesCondition, ArticlesReportQuery>) {
  const { condition, setCondition, data, viewer, today } = props
  const isByDate = condition.groupBy === 'date'
  const tools = useReportTools({
    ...{ screen: 'articles', tables: ARTICLES_TABLES, definition: articlesCondition },
    ...{ report: isByDate ? 'articles-by-date' : 'articles', condition, setCondition, viewer },
  })
  return (
    <ContentList<ArticleFigures, ArticleRowFragment>
      table={ARTICLES}
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
      tools={tools}
      viewer={viewer}
      today={today}
      isLoading={props.isLoading}
      error={props.error}
      retry={props.retry}
    />
  )
}
