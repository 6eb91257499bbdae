import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { NO_VALUE } from '@pc/ui/text/format.ts'
import { Suspense, useMemo } from 'react'
import type { ChangeMetric } from '../../core/web/change-drawer.gen.ts'
import { figureText } from '../../core/web/figure-text.ts'
import { descriptionOf, FigureCell } from '../../core/web/report-figures.tsx'
import { StateBadge } from '../../core/web/state-badge.tsx'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import { headerOf, type ReportColumn } from '../../report-columns.ts'
import type { QuestionFilter } from './ask-about-period.tsx'
import type { FiguresFragment } from './dashboard.gen.ts'
import styles from './dashboard.module.css'
import type { ExplainedFigure } from './dashboard-cards.tsx'
import type { DashboardRow } from './dashboard-rows.ts'
import { DASHBOARD_VALUES } from './dashboard-values.ts'

const AskAboutPeriod = lazy(() => import('./ask-about-period.tsx').then(module => ({ default: module.AskAboutPeriod })))

interface DashboardTableProps {
  rows: readonly DashboardRow[]
  totals: FiguresFragment | null | undefined
  /** The chosen columns in their order. */
  chosen: readonly ReportColumn[]
  isCompared: boolean
  sort: DashboardCondition['sort']
  onSort: (sort: DashboardCondition['sort']) => void
  isLoading: boolean
  failure: { retry: () => void } | undefined
  /** The filter of the rows; set only for people who may ask about a row. */
  asking?: QuestionFilter | undefined
  onExplain: (figure: ExplainedFigure) => void
}

export function DashboardTable(props: DashboardTableProps) {
  'use memo'
  const { totals, chosen, isCompared, asking, onExplain } = props
  const columns = useMemo(
    () => chosen.map(column => columnOf(column, totals, isCompared, asking, onExplain)),
    [totals, chosen, isCompared, asking, onExplain],
  )
  return (
    <DataTable
      caption="期間ごとの成果"
      columns={columns}
      rows={props.rows}
      rowKey={row => row.period.startsOn}
      isProvisional={row => row.figures !== undefined && row.state !== 'final'}
      sort={{ columnId: props.sort.replace('-', ''), isDescending: props.sort.startsWith('-') }}
      onSort={sort => props.onSort(writeSort(sort))}
      isLoading={props.isLoading}
      {...(totals ? { totalLabel: '合計' } : {})}
      {...(props.failure ? { failure: props.failure } : {})}
    />
  )
}

function writeSort({ columnId, isDescending }: Sort): DashboardCondition['sort'] {
  return `${isDescending ? '-' : ''}${columnId}` as DashboardCondition['sort']
}

/** The metrics of columns whose id differs from the metric's name. */
const METRICS: Readonly<Record<string, ChangeMetric>> = { revenue: 'publisherTotalRevenue', gross: 'grossRevenue' }
const ENTRY = 'impressions'

function columnOf(
  column: ReportColumn,
  totals: FiguresFragment | null | undefined,
  isCompared: boolean,
  asking: QuestionFilter | undefined,
  onExplain: DashboardTableProps['onExplain'],
): Column<DashboardRow> {
  const about = { id: column.id, header: headerOf(column), description: descriptionOf(column) }
  const value = DASHBOARD_VALUES[column.id]
  if (value) {
    const metric = METRICS[column.id] ?? (column.id as ChangeMetric)
    const cell = (figures: FiguresFragment, part?: DayRange) => (
      <FigureCell
        unit={column.unit}
        now={value(figures)}
        before={figures.compared && value(figures.compared)}
        isCompared={isCompared}
        why={{ isEntry: column.id === ENTRY, open: () => onExplain({ metric, part }) }}
      />
    )
    return {
      ...about,
      isFigure: true,
      cell: row => (row.figures ? cell(row.figures, row.period.covered) : <NoData />),
      sortValue: row => (row.figures ? (value(row.figures) ?? null) : null),
      ...(totals ? { total: cell(totals) } : {}),
    }
  }
  if (column.id === 'follower') {
    // Followers are a level per day: there is no sum and no comparison.
    return {
      ...about,
      isFigure: true,
      cell: row => (row.figures ? figureText('people', row.figures.follower) : <NoData />),
      sortValue: row => row.figures?.follower ?? null,
    }
  }
  if (column.id === 'state') {
    return {
      ...about,
      cell: row => (
        <span className={styles.state}>
          <StateBadge state={row.state} />
          <PartialBadge row={row} />
        </span>
      ),
    }
  }
  return {
    ...about,
    isHeading: true,
    sortValue: row => row.period.startsOn,
    cell: row => (
      <span className="num">
        {row.label}
        {asking && (
          <Suspense fallback={null}>
            <AskAboutPeriod row={row} asking={asking} />
          </Suspense>
        )}
      </span>
    ),
  }
}

function NoData() {
  return (
    <span className={styles.noData} title="データなし">
      {NO_VALUE}
      <span className="visually-hidden">データなし</span>
    </span>
  )
}

/** Of a period of which days are missing: the days with data of all its days. */
function PartialBadge({ row }: { row: Pick<DashboardRow, 'days' | 'daysWithData'> }) {
  if (row.daysWithData === 0 || row.daysWithData >= row.days) return null
  return <Badge tone="mute">{`${row.daysWithData}/${row.days}日分`}</Badge>
}
