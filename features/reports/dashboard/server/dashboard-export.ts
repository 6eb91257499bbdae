import { chosenRange, type DayRange } from '@pc/domain/condition/default-range.ts'
import { filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, type Period, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import { ok } from '@pc/domain/result.ts'
import { today } from '@pc/platform/clock.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { comparisonOf, MAX_PERIODS } from '../../core/server/export-arguments.ts'
import {
  DASHBOARD_FIGURES,
  definitionOf,
  type ExportPart,
  type ExportSource,
  figurePart,
  singlePart,
} from '../../core/server/export-figures.ts'
import { type OpenedExport, stateText } from '../../core/server/opened-export.ts'
import type { ReportExporter } from '../../core/server/report-exporter.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { chosenColumns, type ReportColumn } from '../../report-columns.ts'
import { readSummary, type SummaryFigures, type SummaryReport } from './summary-report.ts'
import { parseSummaryRequest } from './summary-request.ts'

export const exportDashboard: ReportExporter = async ({ sources, context, request: exported, isStaff }) => {
  const permit = demandPermit(context, 'read:list', 'insight:summary_stats.')
  const condition = dashboardCondition.parse(exported.condition)
  const { granularity, sort } = condition
  const range = chosenRange(condition, today(sources.clock))
  const compareWith = comparisonOf(condition.compareWith)
  const param = { ...range, ...filterArguments(condition), granularity, compareWith }
  const request = parseSummaryRequest({ limit: 1, offset: 0, param })
  if (!request.ok) return request
  const everything = { ...request.value, page: { limit: MAX_PERIODS, offset: 0 } }
  const report = await readSummary(sources, everything, permit, context.signal)
  const columns = chosenColumns('dashboard', isStaff, exported.columns)
  const table = { range, granularity, sort, isCompared: compareWith !== undefined }
  const opened = openDashboardTable(report, columns, table)
  const { filter } = request.value
  return ok({ report: 'dashboard', permit, opened, range, compareWith, granularity, filter })
}

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
function openDashboardTable(
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
      return singlePart(column, 'integer', 14, ({ figures }) => figures?.follower ?? null)
    default:
      throw new Error(`no column ${column.id} in the file`)
  }
}
