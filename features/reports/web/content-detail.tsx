import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { GRANULARITIES, GRANULARITY_LABELS } from '@pc/domain/report/granularity.ts'
import { Button } from '@pc/ui/button.tsx'
import { Card } from '@pc/ui/card.tsx'
import { NotedSeries } from '@pc/ui/chart/report-parts.tsx'
import type { ChartSeries } from '@pc/ui/chart/time-series.tsx'
import { type CsvCell, downloadCsv } from '@pc/ui/csv.ts'
import { addressOf, type ScreenProps } from '@pc/ui/define-route.ts'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { FailedContent, Message, Skeleton } from '@pc/ui/screen-states.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { IconDatabaseOff, IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { ContentCondition } from '../content-condition.ts'
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
import { ComparisonFilter, PeriodNote } from './report-parts.tsx'
import { StateBadge, stateText } from './state-badge.tsx'

interface Stats<Row> {
  readonly nodes: readonly Row[]
  readonly totals: Row | null
  readonly dataUntil: string | null
}

interface ContentDetailProps<Figures, Row extends DatedRow & Figures & Compared<Figures>>
  extends Pick<
    ScreenProps<ContentCondition, unknown>,
    'condition' | 'setCondition' | 'today' | 'ids' | 'isLoading' | 'error' | 'retry'
  > {
  /** 記事, 動画 */
  noun: string
  stats: Stats<Row> | null | undefined
  heading: ReactNode
  figures: readonly ReportFigure<Figures>[]
  tiles: (totals: Row) => readonly Tile[]
  series: readonly ChartSeries[]
  seriesValues: (row: Row | undefined) => Record<string, number | null>
  /** Matrices and distributions. */
  distributions: ReactNode
  fileName: string
  listPath: `/${string}`
}

/** One article or video over time: key figures, chart, distributions, and every period as a table. */
export function ContentDetail<Figures, Row extends DatedRow & Figures & Compared<Figures>>(
  props: ContentDetailProps<Figures, Row>,
) {
  const { condition, setCondition, today, stats, isLoading } = props
  const range = chosenRange(condition, today)
  return (
    <>
      {props.heading}
      <div className={styles.tools}>
        <SegmentedControl
          label="集計単位"
          options={GRANULARITIES.map(value => ({ value, label: GRANULARITY_LABELS[value] }))}
          value={condition.granularity}
          onChange={granularity => setCondition({ granularity })}
        />
        <RangePicker
          label="集計期間"
          value={range}
          today={today}
          onChange={next => setCondition({ from: next?.from, to: next?.to })}
        />
        <ComparisonFilter
          value={condition.compareWith}
          isOptional
          onChange={compareWith => setCondition({ compareWith })}
        />
      </div>
      <PeriodNote range={range} compareWith={condition.compareWith} dataUntil={stats?.dataUntil} />
      <div className={styles.stack} aria-busy={isLoading} data-waiting={(isLoading && stats) || undefined}>
        {stats?.totals ? (
          <Content {...props} stats={stats} totals={stats.totals} />
        ) : stats ? (
          <Nothing noun={props.noun} listPath={props.listPath} />
        ) : props.error && !isLoading ? (
          <FailedContent onRetry={props.retry} />
        ) : (
          <Waiting />
        )}
      </div>
    </>
  )
}

function Content<Figures, Row extends DatedRow & Figures & Compared<Figures>>(
  props: ContentDetailProps<Figures, Row> & { stats: Stats<Row>; totals: Row },
) {
  const { condition, stats, totals, figures, noun } = props
  const { granularity } = condition
  const range = chosenRange(condition, props.today)
  const isCompared = condition.compareWith !== 'none'
  return (
    <>
      <Tiles tiles={props.tiles(totals)} isCompared={isCompared} />
      <Card title={`${noun}の推移`} note={GRANULARITY_LABELS[granularity]}>
        <NotedSeries
          title={`${noun}の推移`}
          points={chartPointsOf(stats.nodes, granularity, range, stats.dataUntil, props.seriesValues)}
          series={props.series}
          height={340}
          range={range}
          publisherIds={props.ids.publisherId ? [props.ids.publisherId] : []}
        />
      </Card>
      <div className={styles.columns}>{props.distributions}</div>
      <Card
        title={`${GRANULARITY_LABELS[granularity]}の成果`}
        flush
        tools={
          <Button
            icon={<IconDownload size={16} aria-hidden />}
            onClick={() =>
              downloadCsv(`${props.fileName}_${range.from}_${range.to}.csv`, csvOf(stats.nodes, figures, isCompared))
            }
          >
            CSV
          </Button>
        }
      >
        <Periods {...props} isCompared={isCompared} range={range} />
      </Card>
    </>
  )
}

function Periods<Figures, Row extends DatedRow & Figures & Compared<Figures>>(
  props: ContentDetailProps<Figures, Row> & {
    stats: Stats<Row>
    totals: Row
    isCompared: boolean
    range: ReturnType<typeof chosenRange>
  },
) {
  const { condition, stats, totals, figures, isCompared, range } = props
  const [sort, setSort] = useState<Sort>({ columnId: 'DATE', isDescending: true })
  // All periods are here: the order is the table's own.
  const columns: Column<Row>[] = [
    {
      id: 'DATE',
      header: '期間',
      isHeading: true,
      sortValue: row => row.date,
      cell: row => <span className="num">{rowLabel(row, condition.granularity, range)}</span>,
    },
    { id: 'state', header: '状態', cell: row => <StateBadge state={stateOfRow(row)} /> },
    ...figureColumns<Figures, Row>(figures, totals, isCompared).map((column, index) => ({
      ...column,
      isSortedByServer: false,
      sortValue: (row: Row) => figures[index]!.value(row),
    })),
  ]
  return (
    <DataTable
      caption={`${GRANULARITY_LABELS[condition.granularity]}の成果`}
      columns={columns}
      rows={stats.nodes}
      rowKey={row => row.date ?? ''}
      sort={sort}
      onSort={setSort}
      totalLabel="合計"
      isLoading={props.isLoading}
    />
  )
}

function csvOf<Figures, Row extends DatedRow & Figures & Compared<Figures>>(
  rows: readonly Row[],
  figures: readonly ReportFigure<Figures>[],
  isCompared: boolean,
): CsvCell[][] {
  const columns = figureCsvColumns<Figures, Row>(figures, isCompared)
  return [
    ['期間の初日', '状態', ...columns.map(column => column.header)],
    ...rows.map(row => [row.date, stateText(stateOfRow(row)), ...columns.map(column => column.cell(row))]),
  ]
}

function Nothing({ noun, listPath }: { noun: string; listPath: `/${string}` }) {
  return (
    <Card title="成果">
      <Message
        icon={<IconDatabaseOff size={28} stroke={1.6} aria-hidden />}
        title={`この期間に、この${noun}のデータはありません`}
        action={<a href={addressOf(listPath)}>{noun}の一覧へ</a>}
      >
        期間を変更してください。「データなし」は0回・0円とは異なります。
      </Message>
    </Card>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="読み込み中" className={styles.stack}>
      <Skeleton height={88} />
      <Skeleton height={400} />
      <Skeleton height={320} />
    </div>
  )
}
