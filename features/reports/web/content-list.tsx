import { chosenRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES, GRANULARITY_LABELS, type Granularity } from '@pc/domain/report/granularity.ts'
import { Card } from '@pc/ui/card.tsx'
import { NotedSeries, PinButton } from '@pc/ui/chart/report-parts.tsx'
import type { ChartSeries } from '@pc/ui/chart/time-series.tsx'
import type { CsvCell } from '@pc/ui/csv.ts'
import { addressOf } from '@pc/ui/define-route.ts'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { formatInstantDay, NO_VALUE } from '@pc/ui/format.ts'
import { sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import type { Viewer } from '@pc/ui/viewer.tsx'
import type { ReactNode } from 'react'
import type { ArticleFigures } from './content-figures.ts'
import { chartPointsOf, type DatedRow, rowLabel, stateOfRow } from './content-periods.ts'
import styles from './report.module.css'
import {
  type Compared,
  figureColumns,
  figureCsvColumns,
  type ReportFigure,
  type Tile,
  Tiles,
} from './report-figures.tsx'
import { ComparisonFilter, EntityFilters, hasEntityFilter, PeriodNote } from './report-parts.tsx'
import { StateBadge, stateText } from './state-badge.tsx'

export interface ContentRow extends DatedRow {
  readonly publisherId: string | null
  readonly title: string | null
  readonly url: string | null
  readonly publishedAt: string | null
}

interface ListCondition {
  readonly from: Day | undefined
  readonly to: Day | undefined
  readonly granularity: Granularity
  readonly compareWith: Comparison | 'none'
  readonly mediumId: readonly string[]
  readonly organizationId: readonly string[]
  readonly publisherId: readonly string[]
  readonly page: number
}

interface ContentListProps<Figures extends ArticleFigures, Row extends ContentRow & Figures & Compared<Figures>> {
  title: string
  /** What one row is when it is not a period: 記事. */
  noun: string
  condition: ListCondition
  onChange: (change: Partial<ListCondition>) => void
  isByDate: boolean
  onGroup: (isByDate: boolean) => void
  order: string
  onSort: (sort: Sort) => void
  pageSize: number
  stats: { total: number; nodes: readonly Row[]; totals: Row | null; dataUntil: string | null } | null | undefined
  figures: readonly ReportFigure<Figures>[]
  tiles: (totals: Row) => readonly Tile[]
  series: readonly ChartSeries[]
  seriesValues: (row: Row | undefined) => Record<string, number | null>
  idOf: (row: Row) => string
  pathOf: (row: Row) => `/${string}`
  picture?: (row: Row) => ReactNode
  moreColumns?: readonly Column<Row>[]
  moreCsv?: readonly { header: string; cell(row: Row): CsvCell }[]
  fileName: string
  loadAll: () => Promise<readonly Row[]>
  viewer: Viewer
  today: Day
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** The report of articles and that of videos: one row each, or one per day, week or month with its chart. */
export function ContentList<Figures extends ArticleFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  props: ContentListProps<Figures, Row>,
) {
  const { condition, onChange, stats, figures, isByDate, today } = props
  const range = chosenRange(condition, today)
  const isCompared = condition.compareWith !== 'none'
  const totals = stats?.totals
  // While the other grouping is on its way, the rows of this one are not there yet.
  const rows = (stats?.nodes ?? []).filter(row => (row.date !== null) === isByDate)
  const change = (next: Partial<ListCondition>) => onChange({ page: 1, ...next })
  return (
    <ListScreen
      title={props.title}
      noun={isByDate ? '期間' : props.noun}
      columns={[
        ...(isByDate ? dateColumns<Row>(condition.granularity, range, totals) : itemColumns(props)),
        ...figureColumns<Figures, Row>(figures, totals, isCompared),
      ]}
      rows={rows}
      rowKey={row => (isByDate ? (row.date ?? '') : props.idOf(row))}
      total={stats?.total ?? 0}
      page={condition.page}
      pageSize={props.pageSize}
      onPage={page => onChange({ page })}
      sort={sortOfOrder(props.order)}
      onSort={props.onSort}
      isLoading={props.isLoading}
      error={stats ? undefined : props.error}
      retry={props.retry}
      isFiltered={hasEntityFilter(condition)}
      onClearFilters={() => change({ mediumId: [], organizationId: [], publisherId: [] })}
      actions={
        <>
          <SegmentedControl
            label="表の単位"
            options={[
              { value: 'item', label: `${props.noun}別` },
              { value: 'date', label: '期間別' },
            ]}
            value={isByDate ? 'date' : 'item'}
            onChange={value => props.onGroup(value === 'date')}
          />
          {isByDate && (
            <SegmentedControl
              label="集計単位"
              options={GRANULARITIES.map(value => ({ value, label: GRANULARITY_LABELS[value] }))}
              value={condition.granularity}
              onChange={granularity => change({ granularity })}
            />
          )}
          <RangePicker
            label="集計期間"
            value={range}
            today={today}
            onChange={next => change({ from: next?.from, to: next?.to })}
          />
          <PinButton view={{ report: props.noun === '記事' ? 'articles' : 'videos', range, ...condition }} />
        </>
      }
      filters={
        <>
          <EntityFilters condition={condition} onChange={change} viewer={props.viewer} />
          <ComparisonFilter
            value={condition.compareWith}
            isOptional
            onChange={compareWith => change({ compareWith })}
          />
        </>
      }
      summary={
        <>
          <PeriodNote range={range} compareWith={condition.compareWith} dataUntil={stats?.dataUntil} />
          {totals && <Tiles tiles={props.tiles(totals)} isCompared={isCompared} />}
          {totals && isByDate && (
            <div className={styles.chart}>
              <Card title={`${props.noun}の推移`} note={GRANULARITY_LABELS[condition.granularity]}>
                <NotedSeries
                  title={`${props.noun}の推移`}
                  points={chartPointsOf(rows, condition.granularity, range, stats.dataUntil, props.seriesValues)}
                  series={props.series}
                  height={320}
                  range={range}
                  publisherIds={condition.publisherId}
                />
              </Card>
            </div>
          )}
        </>
      }
      csv={{
        fileName: `${props.fileName}_${range.from}_${range.to}.csv`,
        columns: [
          ...(isByDate
            ? [
                { header: '期間の初日', cell: (row: Row) => row.date },
                { header: '状態', cell: (row: Row) => stateText(stateOfRow(row)) },
              ]
            : [
                { header: `${props.noun}ID`, cell: (row: Row) => props.idOf(row) },
                { header: 'タイトル', cell: (row: Row) => row.title },
                { header: 'URL', cell: (row: Row) => row.url },
                { header: 'パブリッシャーID', cell: (row: Row) => row.publisherId },
                { header: '公開日時', cell: (row: Row) => row.publishedAt },
                ...(props.moreCsv ?? []),
              ]),
          ...figureCsvColumns<Figures, Row>(figures, isCompared),
        ],
        loadAll: props.loadAll,
      }}
    />
  )
}

function dateColumns<Row extends ContentRow>(
  granularity: Granularity,
  range: { from: Day; to: Day },
  totals: Row | null | undefined,
): Column<Row>[] {
  return [
    {
      id: 'DATE',
      header: '期間',
      isHeading: true,
      isSortedByServer: true,
      cell: row => <span className="num">{rowLabel(row, granularity, range)}</span>,
    },
    {
      id: 'state',
      header: '状態',
      cell: row => <StateBadge state={stateOfRow(row)} />,
      ...(totals ? { total: <StateBadge state={stateOfRow(totals)} /> } : {}),
    },
  ]
}

function itemColumns<Figures extends ArticleFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  props: ContentListProps<Figures, Row>,
): Column<Row>[] {
  return [
    {
      id: 'title',
      header: 'タイトル',
      isHeading: true,
      cell: row => (
        <span className={styles.title}>
          {props.picture?.(row)}
          <RowLink address={addressOf(props.pathOf(row))}>
            <span title={row.title ?? undefined}>{row.title ?? `ID ${props.idOf(row)}`}</span>
          </RowLink>
        </span>
      ),
    },
    {
      id: 'publishedAt',
      header: '公開日',
      cell: row => <span className="num">{row.publishedAt ? formatInstantDay(row.publishedAt) : NO_VALUE}</span>,
    },
    ...(props.moreColumns ?? []),
  ]
}
