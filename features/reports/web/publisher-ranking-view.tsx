import { useApolloClient } from '@apollo/client/react'
import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { PinButton } from '@pc/ui/chart/report-parts.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { formatInteger, formatShare, NO_VALUE } from '@pc/ui/format.ts'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { loadAll } from '@pc/ui/list/load-all.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { IconArrowDown, IconArrowUp, IconMinus } from '@tabler/icons-react'
import { dashboardCondition } from '../dashboard-condition.ts'
import { DASHBOARD_PATH } from '../links.ts'
import { RANKING_ORDERS, RANKING_PAGE_SIZE, type RankingCondition } from '../ranking-condition.ts'
import {
  type ComparedRankFiguresFragment,
  PublisherRankingDocument,
  type PublisherRankingQuery,
} from './publisher-ranking.gen.ts'
import { publisherRankingQuery } from './publisher-ranking-query.ts'
import styles from './report.module.css'
import { figureColumns, figureCsvColumns, type ReportFigure } from './report-figures.tsx'
import { ComparisonFilter, EntityFilters, hasEntityFilter, PeriodNote } from './report-parts.tsx'

type Props = ScreenProps<RankingCondition, PublisherRankingQuery>
type Row = NonNullable<PublisherRankingQuery['ranking']>['nodes'][number]
type Figures = ComparedRankFiguresFragment

const yenWithTenths = new Intl.NumberFormat('ja-JP', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

const FIGURES: readonly ReportFigure<Figures>[] = [
  { id: 'REVENUE', header: '収益（円）', value: row => row.publisherTotalRevenue },
  { id: 'GROSSREVENUE', header: '総収益（円）', value: row => row.revenueDetail?.grossRevenue ?? null },
  { id: 'IMPRESSION', header: '表示回数', value: row => row.impressions },
  { id: 'CLICK', header: 'クリック数', value: row => row.clicks },
  {
    id: 'CTR',
    header: 'クリック率',
    value: row => row.ctr,
    text: row => formatShare(row.clicks, row.impressions),
    csv: row => formatShare(row.clicks, row.impressions).replace(NO_VALUE, ''),
  },
  { id: 'VIDEOWATCH', header: '動画視聴', value: row => row.videoWatchCount },
  { id: 'LIVEWATCH', header: 'ライブ視聴', value: row => row.liveWatchCount },
  {
    id: 'RPM',
    header: 'RPM（円）',
    value: row => row.rpm,
    text: row => (row.rpm === null ? NO_VALUE : yenWithTenths.format(Math.floor(row.rpm * 10) / 10)),
  },
]

/** What is too much for the table, but not for a spreadsheet. */
const CSV_FIGURES: readonly ReportFigure<Figures>[] = [
  ...FIGURES,
  { id: 'ARTICLEIMPRESSION', header: '記事の表示回数', value: row => row.articleImpressions },
  { id: 'ARTICLECLICK', header: '記事のクリック数', value: row => row.articleClicks },
  { id: 'VIDEOIMPRESSION', header: '動画の表示回数', value: row => row.videoImpressions },
]

/** Publishers by a figure, with the places that they won or lost. Staff only. */
export function PublisherRankingView(props: Props) {
  const { condition, setCondition, today, viewer, data } = props
  const client = useApolloClient()
  const list = data?.ranking
  const range = chosenRange(condition, today)
  const change = (next: Partial<RankingCondition>) => setCondition({ page: 1, ...next })
  return (
    <ListScreen
      title="パブリッシャーランキング"
      noun="パブリッシャー"
      columns={columnsFor(condition, list?.totals)}
      rows={list?.nodes ?? []}
      rowKey={row => row.publisherId}
      total={list?.total ?? 0}
      page={condition.page}
      pageSize={RANKING_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      sort={sortOfOrder(condition.order)}
      onSort={sort => {
        const order = orderOfSort(sort, RANKING_ORDERS)
        if (order) change({ order })
      }}
      isLoading={props.isLoading}
      error={list ? undefined : props.error}
      retry={props.retry}
      isFiltered={hasEntityFilter(condition)}
      onClearFilters={() => change({ mediumId: [], organizationId: [], publisherId: [] })}
      actions={
        <>
          <RangePicker
            label="集計期間"
            value={range}
            today={today}
            onChange={next => change({ from: next?.from, to: next?.to })}
          />
          <PinButton view={{ report: 'ranking', range, ...condition }} />
        </>
      }
      filters={
        <>
          <EntityFilters condition={condition} onChange={change} viewer={viewer} />
          <ComparisonFilter
            value={condition.compareWith}
            isOptional={false}
            onChange={compareWith => change({ compareWith })}
          />
        </>
      }
      summary={<PeriodNote range={range} compareWith={condition.compareWith} dataUntil={list?.dataUntil} />}
      csv={{
        fileName: `publisher-ranking_${range.from}_${range.to}.csv`,
        columns: [
          { header: '順位', cell: row => row.rank },
          { header: '比較期間の順位', cell: row => row.previousRank },
          { header: 'パブリッシャーID', cell: row => row.publisherId },
          { header: 'パブリッシャー', cell: row => row.publisherName },
          ...figureCsvColumns<Figures, Row>(CSV_FIGURES, true),
        ],
        loadAll: () =>
          loadAll(async page => {
            const variables = { ...publisherRankingQuery.variables(condition, { today }), ...page }
            return (await client.query({ query: PublisherRankingDocument, variables })).data?.ranking
          }),
      }}
    />
  )
}

function columnsFor(
  condition: RankingCondition,
  totals: NonNullable<PublisherRankingQuery['ranking']>['totals'] | undefined,
): Column<Row>[] {
  const { from, to, mediumId } = condition
  const dashboardOf = (publisherId: string) =>
    addressOf(
      DASHBOARD_PATH,
      dashboardCondition.format({ ...dashboardCondition.defaults, from, to, mediumId, publisherId: [publisherId] }),
    )
  return [
    { id: 'rank', header: '順位', width: 116, cell: row => <Rank row={row} />, total: totals ? '合計' : undefined },
    {
      id: 'publisher',
      header: 'パブリッシャー',
      isHeading: true,
      cell: row => (
        <RowLink address={dashboardOf(row.publisherId)}>{row.publisherName ?? `ID ${row.publisherId}`}</RowLink>
      ),
    },
    ...figureColumns<Figures, Row>(FIGURES, totals, true),
  ]
}

function Rank({ row }: { row: Row }) {
  return (
    <span className={styles.rank}>
      <b>{formatInteger(row.rank)}</b>
      <RankChange change={row.rankChange} />
    </span>
  )
}

function RankChange({ change }: { change: number | null }) {
  if (change === null) return <span className={styles.rankChange}>初登場</span>
  if (change === 0) {
    return (
      <span className={styles.rankChange}>
        <IconMinus size={12} aria-hidden />
        <span className="visually-hidden">順位は変わりません</span>
      </span>
    )
  }
  const Icon = change > 0 ? IconArrowUp : IconArrowDown
  return (
    <span className={styles.rankChange} data-direction={change > 0 ? 'up' : 'down'}>
      <Icon size={12} stroke={2.2} aria-hidden />
      {formatInteger(Math.abs(change))}
      <span className="visually-hidden">{change > 0 ? 'つ上昇' : 'つ下降'}</span>
    </span>
  )
}
