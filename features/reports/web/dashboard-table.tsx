import type { CsvCell } from '@pc/ui/csv.ts'
import { formatInteger, formatShare, NO_VALUE } from '@pc/ui/format.ts'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { useMemo } from 'react'
import type { DashboardCondition } from '../dashboard-condition.ts'
import type { FiguresFragment } from './dashboard.gen.ts'
import styles from './dashboard.module.css'
import type { DashboardRow } from './dashboard-rows.ts'
import { PartialBadge } from './key-figures.tsx'
import { StateBadge, stateText } from './state-badge.tsx'

/** A figure of the table: how it is written, sorted, summed and exported, declared once. */
interface Figure {
  readonly id: string
  readonly header: string
  value(figures: FiguresFragment): number | null
  text?(figures: FiguresFragment): string
  readonly isStaffOnly?: boolean
  /** A level has no sum. */
  readonly isLevel?: boolean
}

const FIGURES: readonly Figure[] = [
  { id: 'impressions', header: '表示回数', value: row => row.impressions },
  { id: 'clicks', header: 'クリック数', value: row => row.clicks },
  { id: 'ctr', header: 'クリック率', value: row => row.ctr, text: row => formatShare(row.clicks, row.impressions) },
  { id: 'watchCount', header: '視聴回数', value: row => row.watchCount },
  { id: 'follower', header: 'フォロワー数', value: row => row.follower, isLevel: true },
  { id: 'revenue', header: '収益（円）', value: row => row.publisherTotalRevenue },
  { id: 'gross', header: '総収益（円）', value: row => row.revenueDetail?.grossRevenue ?? null, isStaffOnly: true },
]

const SORTABLE: readonly string[] = ['impressions', 'clicks', 'ctr', 'watchCount', 'follower', 'revenue']

interface DashboardTableProps {
  rows: readonly DashboardRow[]
  totals: FiguresFragment | null | undefined
  hasDetail: boolean
  sort: DashboardCondition['sort']
  onSort: (sort: DashboardCondition['sort']) => void
  isLoading: boolean
  failure: { retry: () => void } | undefined
}

export function DashboardTable(props: DashboardTableProps) {
  'use memo'
  const { totals, hasDetail } = props
  const columns = useMemo(() => columnsOf(totals, hasDetail), [totals, hasDetail])
  return (
    <DataTable
      caption="期間ごとの成果"
      columns={columns}
      rows={props.rows}
      rowKey={row => row.period.startsOn}
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

function columnsOf(totals: FiguresFragment | null | undefined, hasDetail: boolean): Column<DashboardRow>[] {
  return [
    {
      id: 'date',
      header: '期間',
      isHeading: true,
      sortValue: row => row.period.startsOn,
      cell: row => <span className="num">{row.label}</span>,
    },
    {
      id: 'state',
      header: '状態',
      cell: row => (
        <span className={styles.state}>
          <StateBadge state={row.state} />
          <PartialBadge row={row} />
        </span>
      ),
    },
    ...figuresFor(hasDetail).map(
      (figure): Column<DashboardRow> => ({
        id: figure.id,
        header: figure.header,
        isFigure: true,
        cell: row => (row.figures ? textOf(figure, row.figures) : <NoData />),
        ...(SORTABLE.includes(figure.id)
          ? { sortValue: (row: DashboardRow) => (row.figures ? figure.value(row.figures) : null) }
          : {}),
        ...(totals && !figure.isLevel ? { total: textOf(figure, totals) } : {}),
      }),
    ),
  ]
}

function NoData() {
  return (
    <span className={styles.noData} title="データなし">
      {NO_VALUE}
      <span className="visually-hidden">データなし</span>
    </span>
  )
}

function figuresFor(hasDetail: boolean): readonly Figure[] {
  return FIGURES.filter(figure => hasDetail || !figure.isStaffOnly)
}

function textOf(figure: Figure, figures: FiguresFragment): string {
  return figure.text?.(figures) ?? formatInteger(figure.value(figures))
}

/** The same rows and figures as the table, ascending; no data stays empty, and is not written as 0. */
export function dashboardCsv(rows: readonly DashboardRow[], hasDetail: boolean): CsvCell[][] {
  const figures = figuresFor(hasDetail)
  return [
    ['開始日', '終了日', '状態', '日数', 'データのある日数', ...figures.map(figure => figure.header)],
    ...rows.map(row => [
      row.period.covered.from,
      row.period.covered.to,
      stateText(row.state),
      row.days,
      row.daysWithData,
      ...figures.map(figure => (row.figures ? csvValue(figure, row.figures) : null)),
    ]),
  ]
}

function csvValue(figure: Figure, figures: FiguresFragment): CsvCell {
  return figure.text ? figure.text(figures).replace(NO_VALUE, '') : figure.value(figures)
}
