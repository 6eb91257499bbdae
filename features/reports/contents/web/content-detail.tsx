import { chosenRange, type DayRange } from '@pc/domain/condition/default-range.ts'
import { day } from '@pc/domain/month/day.ts'
import { GRANULARITIES, GRANULARITY_LABELS } from '@pc/domain/report/granularity.ts'
import type { LateMedia } from '@pc/domain/report/late-media.ja.ts'
import { periodOf } from '@pc/domain/report/period.ts'
import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { NotedSeries } from '@pc/ui/chart/report-slots.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { isSortableBy, orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { IconDatabaseOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ContentCondition } from '../../content-condition.ts'
import type { ChangeMetric } from '../../core/web/change-drawer.gen.ts'
import { byStartOfPeriod, comparedPoints, comparedSeries, comparedValues } from '../../core/web/compared-series.ts'
import { type ExplainRows, useExplanation } from '../../core/web/explanation.tsx'
import { figureColumns } from '../../core/web/figure-columns.tsx'
import styles from '../../core/web/report.module.css'
import { type Compared, descriptionOf, type FigureValues, isComparing } from '../../core/web/report-figures.tsx'
import { ComparisonFilter, PeriodNote } from '../../core/web/report-parts.tsx'
import type { ReportTools } from '../../core/web/report-tools.tsx'
import { StateBadge } from '../../core/web/state-badge.tsx'
import { type Tile, Tiles } from '../../core/web/tiles.tsx'
import { headerOf } from '../../report-columns.ts'
import {
  chartPointsOf,
  type DatedRow,
  isProvisionalRow,
  rowLabel,
  stateOfRow,
  withEmptyPeriods,
} from './content-periods.ts'

interface Stats<Row> {
  readonly nodes: readonly Row[]
  readonly totals: Row | null
  readonly dataUntil: string | null
  readonly lateMedia: LateMedia
}

interface ContentDetailProps<Figures, Row extends DatedRow & Figures & Compared<Figures>>
  extends Pick<
    ScreenProps<ContentCondition, unknown>,
    'condition' | 'setCondition' | 'today' | 'ids' | 'isLoading' | 'error' | 'retry'
  > {
  /** 記事, 動画 */
  noun: string
  of: 'article' | 'video'
  /** The metric of each column id, for explanations of changes. */
  metrics: Readonly<Record<string, ChangeMetric>>
  stats: Stats<Row> | null | undefined
  heading: ReactNode
  tools: ReportTools
  itemId: string
  publisherId: string
  mediumId: string | null | undefined
  values: FigureValues<Figures>
  /** The sort orders of the table of periods. */
  orders: readonly ContentCondition['order'][]
  tiles: (totals: Row) => readonly Tile[]
  series: readonly ChartSeries[]
  seriesValues: (figures: Figures | undefined) => Record<string, number | null>
  /** Demographics and watch-time distribution. */
  distributions: ReactNode
  listPath: `/${string}`
}

/** One article or video over time: key figures, chart, distributions, and a table of periods. */
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
        {props.tools.toolbar({
          range,
          total: stats ? withEmptyPeriods(stats, condition.granularity, range, 'DATE_ASC').length : undefined,
          ids: { itemId: props.itemId, publisherId: props.publisherId },
        })}
      </div>
      <PeriodNote range={range} compareWith={condition.compareWith} stats={stats} />
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
  const { condition, stats, totals, noun } = props
  const { granularity } = condition
  const range = chosenRange(condition, props.today)
  const view = { compareWith: condition.compareWith, granularity }
  const nodes = byStartOfPeriod(stats.nodes, granularity)
  const isCompared = isComparing(condition.compareWith, props.isLoading, totals)
  const { explain, drawer } = usePeriodExplanation(props, range)
  return (
    <>
      <Tiles tiles={props.tiles(totals)} isCompared={isCompared} explain={explain} />
      {drawer}
      <Card title={`${noun}の推移`} note={GRANULARITY_LABELS[granularity]}>
        <NotedSeries
          title={`${noun}の推移`}
          points={comparedPoints(
            chartPointsOf(stats.nodes, granularity, range, stats.dataUntil, props.seriesValues),
            view,
            startsOn => comparedValues(nodes.get(startsOn), props.seriesValues),
          )}
          series={comparedSeries(props.series, view)}
          height={340}
          range={range}
          publisherIds={props.ids.publisherId ? [props.ids.publisherId] : []}
          mediumIds={props.mediumId ? [props.mediumId] : []}
        />
      </Card>
      <div className={styles.columns}>{props.distributions}</div>
      <Card title={`${GRANULARITY_LABELS[granularity]}の成果`} flush>
        <Periods {...props} isCompared={isCompared} range={range} explain={explain} />
      </Card>
    </>
  )
}

/** Explanations of changes, for a period or the totals. */
function usePeriodExplanation<Figures, Row extends DatedRow & Figures & Compared<Figures>>(
  { condition, tools, metrics, of, itemId, publisherId }: ContentDetailProps<Figures, Row>,
  range: DayRange,
) {
  const { compareWith, granularity } = condition
  return useExplanation<Row>({
    ...{ metrics, columns: tools.columns },
    figureOf: row => {
      if (compareWith === 'none') return undefined
      const whole = { range, compareWith, of, contentIds: [itemId], filter: { publisherId: [publisherId] } }
      if (!row) return whole
      return { ...whole, range: periodOf(granularity, day(row.date ?? ''), range).covered, within: range }
    },
  })
}

function Periods<Figures, Row extends DatedRow & Figures & Compared<Figures>>(
  props: ContentDetailProps<Figures, Row> & {
    stats: Stats<Row>
    totals: Row
    isCompared: boolean
    range: DayRange
    explain: ExplainRows<Row>
  },
) {
  const { condition, stats, totals, isCompared, range, tools, values, orders, explain } = props
  const rows = withEmptyPeriods(stats, condition.granularity, range, 'DATE_ASC')
  const isSortable = isSortableBy(orders)
  // The answer has all periods, so the table sorts them itself.
  const columns = tools.columns.flatMap((column): Column<Row>[] => {
    const about = { id: column.id, header: headerOf(column), description: descriptionOf(column) }
    const value = values[column.id]
    if (value) {
      return figureColumns<Figures, Row>({
        ...{ columns: [column], values, totals, isCompared, isSortable, explain },
      }).map(figure => ({
        ...figure,
        isSortedByServer: false,
        ...(isSortable(column.id) ? { sortValue: (row: Row) => value(row) ?? null } : {}),
      }))
    }
    if (column.id === 'state') return [{ ...about, cell: row => <StateBadge state={stateOfRow(row)} /> }]
    return [
      {
        ...about,
        isHeading: true,
        sortValue: row => row.date,
        cell: row => <span className="num">{rowLabel(row, condition.granularity, range)}</span>,
      },
    ]
  })
  const sort = sortOfOrder(condition.order)
  return (
    <DataTable
      caption={`${GRANULARITY_LABELS[condition.granularity]}の成果`}
      columns={columns}
      rows={tools.isKnown ? rows : []}
      rowKey={row => row.date ?? ''}
      isProvisional={isProvisionalRow}
      {...(sort ? { sort } : {})}
      onSort={next => {
        const order = orderOfSort(next, orders)
        if (order) props.setCondition({ order })
      }}
      totalLabel="合計"
      isLoading={props.isLoading || !tools.isKnown}
    />
  )
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
