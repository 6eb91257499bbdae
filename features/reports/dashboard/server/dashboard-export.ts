import { startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, type Period, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import { ok } from '@pc/domain/result.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { aboutExport, exportParam, MAX_PERIODS } from '../../core/server/export-arguments.ts'
import {
  DASHBOARD_FIGURES,
  definitionOf,
  type ExportPart,
  type ExportSource,
  figurePart,
  singlePart,
} from '../../core/server/export-figures.ts'
import { comparedOf, type OpenedExport, openExport, stateOf, stateText } from '../../core/server/opened-export.ts'
import type { ReportExporter } from '../../core/server/report-exporter.ts'
import { DASHBOARD_COLUMNS } from '../../dashboard-columns.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { chosenColumns, type ReportColumn } from '../../report-columns.ts'
import { readSummary, type SummaryFigures, type SummaryReport } from './summary-report.ts'
import { parseSummaryRequest, type SummaryRequest } from './summary-request.ts'

export const exportDashboard: ReportExporter = async ({ sources, context, request: exported, isStaff }) => {
  const permit = demandPermit(context, 'read:list', 'insight:summary_stats.')
  const condition = dashboardCondition.parse(exported.condition)
  const { granularity, sort } = condition
  const param = { ...exportParam(condition, sources.clock), granularity }
  const parsed = parseSummaryRequest({ limit: 1, offset: 0, param })
  if (!parsed.ok) return parsed
  const request = { ...parsed.value, page: { limit: MAX_PERIODS, offset: 0 } }
  const report = await readSummary(sources, request, permit, context.signal)
  const columns = chosenColumns(DASHBOARD_COLUMNS, isStaff, exported.columns)
  const opened = openDashboardTable(report, columns, { ...request, sort })
  return ok({ report: 'dashboard', permit, opened, ...aboutExport(request), granularity })
}

interface PeriodRow {
  readonly period: Period
  readonly figures: SummaryFigures | undefined
  readonly state: Parameters<typeof stateText>[0]
}

/** Opens the dashboard's table. Periods without data get a row with empty cells, as on the screen. */
function openDashboardTable(
  report: SummaryReport,
  columns: readonly ReportColumn[],
  { range, granularity, compareWith, sort }: SummaryRequest & { readonly sort: string },
): OpenedExport {
  const byStart = new Map(report.nodes.map(node => [startOfPeriod(granularity, node.date), node]))
  const rows = periodsOf(granularity, range).map((period): PeriodRow => {
    const figures = byStart.get(period.startsOn)
    return { period, figures, state: figures ? stateOf(figures) : stateWithoutData(period, report.dataUntil) }
  })
  const parts = columns.map(column => dashboardPart(column, compareWith !== undefined))
  const sorted = sortPeriods(rows, sort)
  return openExport({ ...report, ...comparedOf(report), total: sorted.length }, parts, () => [sorted])
}

/** Sorts like the table on the screen: stable, rows without the figure last in both directions. */
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
