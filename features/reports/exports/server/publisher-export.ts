import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, type Period, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import type { ExportKind, ExportRow } from '@pc/platform/export/export-table.ts'
import {
  DASHBOARD_FIGURES,
  definitionOf,
  type ExportPart,
  type ExportSource,
  figurePart,
  RANKING_FIGURES,
} from '../../core/server/export-figures.ts'
import { type OpenedExport, stateText } from '../../core/server/opened-export.ts'
import type { SummaryFigures, SummaryReport } from '../../dashboard/server/summary-report.ts'
import type { PublisherRank, RankReport } from '../../ranking/server/rank-report.ts'
import { headerOf, type ReportColumn } from '../../report-columns.ts'

interface PeriodRow {
  readonly period: Period
  readonly figures: SummaryFigures | undefined
  readonly state: Parameters<typeof stateText>[0]
}

interface DashboardExport {
  readonly range: DayRange
  readonly granularity: Granularity
  readonly isCompared: boolean
  /** `-date`, `clicks`: as the condition names it. */
  readonly sort: string
}

/** The rows of the dashboard: also the periods without data, which are not zero. */
export function openDashboardExport(
  report: SummaryReport,
  columns: readonly ReportColumn[],
  { range, granularity, isCompared, sort }: DashboardExport,
): OpenedExport {
  const byStart = new Map(report.nodes.map(node => [startOfPeriod(granularity, node.date), node]))
  const rows = periodsOf(granularity, range).map((period): PeriodRow => {
    const figures = byStart.get(period.startsOn)
    return { period, figures, state: figures ? stateOf(figures) : stateWithoutData(period, report.dataUntil) }
  })
  const parts = columns.map(column => dashboardPart(column, isCompared))
  const sorted = sortPeriods(rows, sort)
  return {
    total: sorted.length,
    dataUntil: report.dataUntil,
    compared: report.totals?.compared ?? null,
    hasComparedRows: report.nodes.some(({ compared }) => compared !== null),
    lateMedia: report.lateMedia,
    columns: parts.flatMap(part => part.columns),
    async *rows() {
      yield sorted.map(row => parts.flatMap(part => part.cells(row)))
    },
  }
}

const stateOf = ({ isComplete, hasBeenFinalized }: SummaryFigures) =>
  isComplete ? (hasBeenFinalized ? 'final' : 'estimate') : 'running'

/** As the table sorts: stable, no data last in both directions. */
function sortPeriods(rows: readonly PeriodRow[], sort: string): readonly PeriodRow[] {
  const id = sort.replace('-', '')
  const direction = sort.startsWith('-') ? -1 : 1
  const figureOf = ({ figures, period }: PeriodRow) => {
    if (id === 'date') return period.startsOn
    if (!figures) return null
    return id === 'follower' ? figures.follower : (DASHBOARD_FIGURES[id]?.value(figures.sums) ?? null)
  }
  return [...rows].sort((one, other) => {
    const [a, b] = [figureOf(one), figureOf(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a === b ? 0 : direction * (a < b ? -1 : 1)
  })
}

function dashboardPart(column: ReportColumn, isCompared: boolean): ExportPart<PeriodRow> {
  const figure = DASHBOARD_FIGURES[column.id]
  if (figure) {
    return figurePart(
      column,
      figure,
      isCompared,
      ({ figures }): ExportSource => ({ sums: figures?.sums ?? null, compared: figures?.compared?.sums ?? null }),
    )
  }
  const definition = definitionOf(column)
  switch (column.id) {
    case 'date':
      return {
        columns: [
          { header: '開始日', kind: 'day', definition },
          { header: '終了日', kind: 'day' },
        ],
        cells: ({ period }) => [period.covered.from, period.covered.to],
      }
    case 'state':
      return {
        columns: [
          { header: column.label, kind: 'text', width: 12, definition },
          { header: '日数', kind: 'integer' },
          { header: 'データのある日数', kind: 'integer' },
        ],
        cells: ({ state, figures, period }) => [
          stateText(state),
          figures?.days ?? daysOf(period.covered),
          figures?.daysWithData ?? 0,
        ],
      }
    case 'follower':
      return one(column, 'integer', 14, ({ figures }) => figures?.follower ?? null)
    default:
      throw new Error(`no column ${column.id} in the file`)
  }
}

function one<Row>(
  column: ReportColumn,
  kind: ExportKind,
  width: number,
  cell: (row: Row) => ExportRow[number],
): ExportPart<Row> {
  return {
    columns: [{ header: headerOf(column), kind, width, definition: definitionOf(column) }],
    cells: row => [cell(row)],
  }
}

/** Publishers in their order; `read` reads a piece of the ranking. */
export async function openRankingExport(
  read: (page: { limit: number; offset: number }) => Promise<RankReport>,
  columns: readonly ReportColumn[],
): Promise<OpenedExport> {
  const parts = columns.map(rankingPart)
  const first = await read({ limit: PUBLISHERS_AT_ONCE, offset: 0 })
  return {
    total: first.total,
    dataUntil: first.dataUntil,
    compared: first.totals?.compared ?? null,
    // Publishers have rows of the whole range only.
    hasComparedRows: (first.totals?.compared ?? null) !== null,
    lateMedia: first.lateMedia,
    columns: parts.flatMap(part => part.columns),
    async *rows() {
      let [piece, offset] = [first, 0]
      while (piece.nodes.length > 0) {
        yield piece.nodes.map(node => parts.flatMap(part => part.cells(node)))
        offset += piece.nodes.length
        if (offset >= piece.total) return
        piece = await read({ limit: PUBLISHERS_AT_ONCE, offset })
      }
    },
  }
}

const PUBLISHERS_AT_ONCE = 1_000

function rankingPart(column: ReportColumn): ExportPart<PublisherRank> {
  const figure = RANKING_FIGURES[column.id]
  if (figure) {
    return figurePart(
      column,
      figure,
      true,
      ({ sums, compared }): ExportSource => ({ sums, compared: compared?.sums ?? null }),
    )
  }
  switch (column.id) {
    case 'rank':
      return {
        columns: [
          { header: column.label, kind: 'integer', width: 8, definition: definitionOf(column) },
          { header: '比較期間の順位', kind: 'integer', width: 14 },
        ],
        cells: ({ rank, previousRank }) => [rank, previousRank],
      }
    case 'publisher':
      return one(column, 'text', 32, row => row.publisherName ?? `ID ${row.publisherId}`)
    case 'publisherId':
      return one(column, 'text', 16, row => String(row.publisherId))
    default:
      throw new Error(`no column ${column.id} in the file`)
  }
}
