import { chosenRange, type DayRange } from '@pc/domain/condition/default-range.ts'
import type { FilterCondition } from '@pc/domain/condition/entity-filter.ts'
import { countFilters, FILTER_CONDITIONS, hasFilter, hasLabels } from '@pc/domain/condition/filter-conversions.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES, GRANULARITY_LABELS, type Granularity } from '@pc/domain/report/granularity.ts'
import type { LateMedia } from '@pc/domain/report/late-media.ja.ts'
import type { OrderBasis } from '@pc/domain/report/order-basis.ts'
import { isMinChangeSet } from '@pc/domain/report/order-by-change.ts'
import { periodOf } from '@pc/domain/report/period.ts'
import type { ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { NotedSeries } from '@pc/ui/chart/report-slots.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { SearchFilter } from '@pc/ui/elements/list-top.tsx'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { formatInstantDay, NO_VALUE } from '@pc/ui/text/format.ts'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { ChangeMetric } from '../../core/web/change-drawer.gen.ts'
import { ChangeOrderFilter } from '../../core/web/change-order-filter.tsx'
import { byStartOfPeriod, comparedPoints, comparedSeries, comparedValues } from '../../core/web/compared-series.ts'
import { type ExplainRows, useExplanation } from '../../core/web/explanation.tsx'
import { figureColumns } from '../../core/web/figure-columns.tsx'
import styles from '../../core/web/report.module.css'
import { type Compared, descriptionOf, type FigureValues, isComparing } from '../../core/web/report-figures.tsx'
import { FeedFilter } from '../../core/web/report-filters.tsx'
import { ComparisonFilter, EntityFilters, nothingIn, PeriodNote } from '../../core/web/report-parts.tsx'
import type { ReportTools } from '../../core/web/report-tools.tsx'
import { StateBadge } from '../../core/web/state-badge.tsx'
import { type Tile, Tiles } from '../../core/web/tiles.tsx'
import { headerOf, type ReportColumn } from '../../report-columns.ts'
import type { SharedFigures } from './content-figures.ts'
import {
  chartPointsOf,
  type DatedRow,
  isProvisionalRow,
  rowLabel,
  stateOfRow,
  withEmptyPeriods,
} from './content-periods.ts'
import { RevenueParts } from './revenue-parts.tsx'

export interface ContentRow extends DatedRow {
  readonly publisherId: string | null
  readonly publisherName: string | null
  readonly title: string | null
  readonly url: string | null
  readonly publishedAt: string | null
}

interface Stats<Row> {
  readonly total: number
  readonly nodes: readonly Row[]
  readonly totals: Row | null
  readonly dataUntil: string | null
  readonly lateMedia: LateMedia
}

interface ListCondition {
  readonly from: Day | undefined
  readonly to: Day | undefined
  readonly granularity: Granularity
  readonly compareWith: Comparison | 'none'
  readonly mediumId: readonly string[]
  readonly organizationId: readonly string[]
  readonly publisherId: readonly string[]
  /** These filters exist for articles only. */
  readonly feedId?: readonly string[]
  readonly authorId?: readonly string[]
  readonly sectionId?: readonly string[]
  readonly tagId?: readonly string[]
  /** Labels of any kind, from addresses of earlier versions. */
  readonly labelId?: readonly string[]
  readonly title: string
  readonly orderOf: OrderBasis
  readonly minChange: string
  readonly page: number
}

/** What differs between the lists of articles and videos. Create it once: a new object renders every row again. */
export interface ContentTable<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>> {
  readonly title: string
  /** The noun of a row that is not a period, for example 記事. */
  readonly noun: string
  readonly report: 'articles' | 'videos'
  readonly values: FigureValues<Figures>
  /** The metric of each column id, for explanations of changes. */
  readonly metrics: Readonly<Record<string, ChangeMetric>>
  readonly of: 'article' | 'video'
  /** The filter that selects a row's figures, for rows that are not periods. */
  ownFilter(row: Row): { readonly contentIds?: readonly string[]; readonly filter?: FilterCondition }
  /** Whether {@link ownFilter} can select the row; by default true. */
  isExplained?(row: Row): boolean
  /** Ids of columns that the server sorts by. */
  isSortable(id: string): boolean
  /** @param totals undefined: still loading */
  tiles(totals: Row | undefined): readonly Tile[]
  readonly series: readonly ChartSeries[]
  seriesValues(figures: Figures | undefined): Record<string, number | null>
  idOf(row: Row): string
  pathOf(row: Row): `/${string}`
  picture?(row: Row): ReactNode
  /** Text cells by column id, of this kind of list only; the first such column is the row heading. */
  readonly infoCells?: Readonly<Record<string, (row: Row) => ReactNode>>
  /** An article counts in several rows (authors, tags), so there is no row of totals. */
  readonly isOverlapping?: boolean
  /** Whether a row of the answer belongs to this table; by default all rows that are not periods. */
  isRow?(row: Row): boolean
  /** The name of a row without a title. */
  labelOf?(row: Row): string | undefined
  /** Other cells by column id, of this kind of list only. */
  readonly moreCells?: Readonly<Record<string, (row: Row) => ReactNode>>
}

interface ContentListProps<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>> {
  table: ContentTable<Figures, Row>
  condition: ListCondition
  onChange: (change: Partial<ListCondition>) => void
  isByDate: boolean
  /** Choices of what rows are, besides periods; by default only the noun of the table. */
  groups?: readonly { readonly value: string; readonly label: string }[]
  group?: string
  onGroup: (group: string) => void
  /** Additional filters, and a note above the table. */
  moreFilters?: ReactNode
  note?: ReactNode
  order: string
  onSort: (sort: Sort) => void
  pageSize: number
  stats: Stats<Row> | null | undefined
  tools: ReportTools
  viewer: Viewer
  today: Day
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** The list of articles or videos: one row each (or per label), or one per day, week or month with a chart. */
export function ContentList<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  props: ContentListProps<Figures, Row>,
) {
  const { table, condition, onChange, stats, isByDate, today, tools } = props
  const range = chosenRange(condition, today)
  const totals = stats?.totals
  const isCompared = isComparing(condition.compareWith, props.isLoading, totals)
  // While a new grouping loads, the previous answer is still here: its rows of the other grouping are filtered out.
  const rows = useMemo(
    () =>
      (stats?.nodes ?? []).filter(
        row => (row.date !== null) === isByDate && (isByDate || (table.isRow?.(row) ?? true)),
      ),
    [stats?.nodes, isByDate, table],
  )
  const { from, to } = range
  const shown = useMemo(
    () =>
      isByDate && stats && stats.total === rows.length
        ? withEmptyPeriods(
            { nodes: rows, dataUntil: stats.dataUntil },
            condition.granularity,
            { from, to },
            props.order,
          )
        : rows,
    [isByDate, rows, stats, condition.granularity, from, to, props.order],
  )
  const total = (stats?.total ?? 0) + shown.length - rows.length
  const { compareWith, granularity } = condition
  const view = { compareWith, granularity }
  const nodes = byStartOfPeriod(rows, granularity)
  // Shows placeholders of the final size, so that nothing jumps when the answer arrives.
  const isWaiting = stats === undefined && props.isLoading
  const { explain, drawer } = useRowExplanation(props, range)
  const columns = useColumns(table, tools.columns, {
    ...{ totals, isCompared, range, granularity: condition.granularity, orderOf: condition.orderOf, explain },
  })
  const change = (next: Partial<ListCondition>) => onChange({ page: 1, ...next })
  // The API orders only articles and videos by change, not labels and periods.
  const canOrderByChange = condition.compareWith !== 'none' && !isByDate && !isLabelGroup(props.group)
  const isLimited = canOrderByChange && isMinChangeSet(condition)
  return (
    <ListScreen
      title={table.title}
      noun={isByDate ? '期間' : table.noun}
      columns={columns}
      rows={tools.isKnown ? shown : NO_ROWS}
      // No totals when a minimum change hides rows, or rows overlap: they would not match the listed rows.
      totalLabel={totals && !isLimited && !(table.isOverlapping && !isByDate) ? '合計' : undefined}
      isProvisional={row => isByDate && isProvisionalRow(row)}
      rowKey={row => (isByDate ? (row.date ?? '') : table.idOf(row))}
      total={total}
      page={condition.page}
      pageSize={props.pageSize}
      onPage={page => onChange({ page })}
      sort={sortOfOrder(props.order)}
      onSort={props.onSort}
      isLoading={props.isLoading || !tools.isKnown}
      error={stats ? undefined : props.error}
      retry={props.retry}
      nothing={nothingIn(isByDate ? undefined : table.noun)}
      isFiltered={hasFilter(condition) || condition.title !== '' || isLimited}
      filterCount={countFilters(condition) + Number(isLimited)}
      onClearFilters={() =>
        change({
          ...{ ...FILTER_CONDITIONS[table.report].defaults, title: '', minChange: '' },
          ...(condition.feedId ? { feedId: [] } : {}),
        })
      }
      actions={
        <>
          <SegmentedControl
            label="表の単位"
            options={[
              ...(props.groups ?? [{ value: 'item', label: `${table.noun}別` }]),
              { value: 'date', label: '期間別' },
            ]}
            value={isByDate ? 'date' : (props.group ?? 'item')}
            onChange={props.onGroup}
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
          {tools.toolbar({
            range,
            total: stats ? total : undefined,
            pin: {
              ...condition,
              report: table.report,
              range,
              isNarrower: isNarrowerThanTiles(condition),
              groupBy: props.group ?? '',
            },
          })}
        </>
      }
      filters={
        <>
          <SearchFilter
            label="タイトルで絞り込む"
            placeholder="タイトルの言葉"
            value={condition.title}
            onSearch={title => change({ title })}
          />
          <EntityFilters condition={condition} onChange={change} viewer={props.viewer} />
          {condition.feedId && <FeedFilter value={condition.feedId} onChange={feedId => change({ feedId })} />}
          {props.moreFilters}
          <ComparisonFilter
            value={condition.compareWith}
            isOptional
            onChange={compareWith => change({ compareWith })}
          />
          {canOrderByChange && (
            <ChangeOrderFilter value={condition} onChange={change} order={props.order} columns={tools.columns} />
          )}
        </>
      }
      summary={
        <>
          <PeriodNote range={range} compareWith={condition.compareWith} stats={stats} />
          {props.note}
          {drawer}
          {(totals || isWaiting) && (
            <Tiles
              tiles={table.tiles(totals ?? undefined)}
              isCompared={isCompared}
              explain={explain}
              isWaiting={!totals}
            />
          )}
          {totals && areAllContents(condition) && <RevenueParts condition={condition} range={range} />}
          {isWaiting && isByDate && <Skeleton height={CHART_CARD_HEIGHT} />}
          {totals && isByDate && (
            <div className={styles.chart}>
              <Card title={`${table.noun}の推移`} note={GRANULARITY_LABELS[condition.granularity]}>
                <NotedSeries
                  title={`${table.noun}の推移`}
                  points={comparedPoints(
                    chartPointsOf(rows, condition.granularity, range, stats.dataUntil, table.seriesValues),
                    view,
                    startsOn => comparedValues(nodes.get(startsOn), table.seriesValues),
                  )}
                  series={comparedSeries(table.series, view)}
                  height={320}
                  range={range}
                  publisherIds={condition.publisherId}
                  mediumIds={condition.mediumId}
                />
              </Card>
            </div>
          )}
        </>
      }
    />
  )
}

/** Whether filters are set that tiles on boards do not support. */
const isNarrowerThanTiles = ({ title, feedId = [] }: ListCondition) => title !== '' || feedId.length > 0

/** Whether only publishers, organisations and media are filtered, as the dashboard can do too. */
function areAllContents(condition: ListCondition): boolean {
  return !hasLabels(condition) && !isNarrowerThanTiles(condition) && (condition.labelId ?? []).length === 0
}

/** Explanations of changes, for a row or the totals. */
function useRowExplanation<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  { table, condition, isByDate, tools }: ContentListProps<Figures, Row>,
  range: DayRange,
) {
  const { compareWith, granularity, title } = condition
  const isExplained = useCallback(
    (row: Row | undefined) => row === undefined || isByDate || (table.isExplained?.(row) ?? true),
    [table, isByDate],
  )
  return useExplanation<Row>({
    ...{ metrics: table.metrics, columns: tools.columns, isExplained },
    figureOf: row => {
      // Labels of an earlier version's address whose kinds are still loading cannot be passed on as a filter.
      if (compareWith === 'none' || (condition.labelId ?? []).length > 0) return undefined
      const whole = { range, compareWith, title, of: table.of, filter: condition }
      if (!row) return whole
      if (row.date !== null)
        return { ...whole, range: periodOf(granularity, day(row.date), range).covered, within: range }
      const { filter, ...own } = table.ownFilter(row)
      return { ...whole, ...own, filter: { ...condition, ...filter }, name: nameOf(table, row) }
    },
  })
}

function nameOf<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  { noun, idOf, labelOf }: ContentTable<Figures, Row>,
  row: Row,
): string {
  return `${noun}「${labelOf?.(row) ?? row.title ?? `ID ${idOf(row)}`}」`
}

const isLabelGroup = (group = '') => isArticleLabelKind(group)

const NO_ROWS: readonly never[] = []
/** In pixels, of the card with the chart and its notes, for the placeholder. */
const CHART_CARD_HEIGHT = 474

/** What cells need besides their row. */
interface Shown<Row> {
  readonly explain: ExplainRows<Row>
  readonly totals: Row | null | undefined
  readonly isCompared: boolean
  readonly range: DayRange
  readonly granularity: Granularity
  readonly orderOf: OrderBasis
}

/** The table's columns for the chosen report columns. Memoised, because new columns render every row again. */
function useColumns<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  table: ContentTable<Figures, Row>,
  columns: readonly ReportColumn[],
  { totals, isCompared, range: { from, to }, granularity, orderOf, explain }: Shown<Row>,
): readonly Column<Row>[] {
  return useMemo(() => {
    const { values, isSortable } = table
    return columns.flatMap((column): Column<Row>[] => {
      if (values[column.id])
        return figureColumns<Figures, Row>({
          ...{ columns: [column], values, totals, isCompared, isSortable, explain, orderOf },
        })
      const known = infoColumn(table, column, { totals, range: { from, to }, granularity })
      return known ? [{ id: column.id, header: headerOf(column), description: descriptionOf(column), ...known }] : []
    })
  }, [table, columns, totals, isCompared, from, to, granularity, orderOf, explain])
}

function infoColumn<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>>(
  table: ContentTable<Figures, Row>,
  { id }: ReportColumn,
  { totals, granularity, range }: Pick<Shown<Row>, 'totals' | 'granularity' | 'range'>,
): (Pick<Column<Row>, 'cell'> & Partial<Column<Row>>) | undefined {
  const info = table.infoCells?.[id]
  if (info) return { isHeading: id === Object.keys(table.infoCells ?? {})[0], cell: info }
  const more = table.moreCells?.[id]
  if (more) return { isFigure: true, cell: more }
  switch (id) {
    case 'DATE':
      return {
        isHeading: true,
        isSortedByServer: true,
        cell: row => <span className="num">{rowLabel(row, granularity, range)}</span>,
      }
    case 'state':
      return {
        cell: row => <StateBadge state={stateOfRow(row)} />,
        ...(totals ? { total: <StateBadge state={stateOfRow(totals)} /> } : {}),
      }
    case 'title':
      return { isHeading: true, cell: row => <TitleCell table={table} row={row} /> }
    case 'publisher':
      return { cell: row => <PublisherCell row={row} /> }
    case 'publishedAt':
      return {
        cell: row => <span className="num">{row.publishedAt ? formatInstantDay(row.publishedAt) : NO_VALUE}</span>,
      }
    case 'itemId':
      return { cell: row => <span className="num">{table.idOf(row)}</span> }
    case 'publisherId':
      return { cell: row => <span className="num">{row.publisherId ?? NO_VALUE}</span> }
    case 'url':
      return { cell: row => <UrlCell url={row.url} /> }
    default:
      return undefined
  }
}

function TitleCell<Figures extends SharedFigures, Row extends ContentRow & Figures & Compared<Figures>>({
  table,
  row,
}: {
  table: ContentTable<Figures, Row>
  row: Row
}) {
  return (
    <span className={styles.title}>
      {table.picture?.(row)}
      <RowLink address={addressOf(table.pathOf(row))}>
        <span title={row.title ?? undefined}>{row.title ?? `ID ${table.idOf(row)}`}</span>
      </RowLink>
    </span>
  )
}

/** Limits the width of the name, to leave space for the title. */
function PublisherCell({ row: { publisherId, publisherName } }: { row: ContentRow }) {
  if (publisherId === null) return NO_VALUE
  const name = publisherName ?? `ID ${publisherId}`
  return (
    <span className={styles.publisher} title={name}>
      {name}
    </span>
  )
}

function UrlCell({ url }: { url: string | null }) {
  if (!url) return NO_VALUE
  return (
    <a href={url} target="_blank" rel="noreferrer" title={url}>
      {url.replace(/^https?:\/\//, '')}
    </a>
  )
}
