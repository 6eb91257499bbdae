import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { day, parseDay } from '@pc/domain/month/day.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, type Period, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import type { ChartPoint } from '@pc/ui/chart/chart-points.ts'
import { formatShortDay } from '@pc/ui/text/format.ts'
import { type FigureState, periodLabel } from '../../core/web/period-label.ts'
import type { FiguresFragment } from './dashboard.gen.ts'

export interface DashboardRow {
  readonly period: Period
  readonly label: string
  readonly state: FigureState
  /** Days of the chosen range in this period; `daysWithData` counts those that have data. */
  readonly days: number
  readonly daysWithData: number
  readonly figures: FiguresFragment | undefined
}

export function stateOf(figures: FiguresFragment): FigureState {
  if (!figures.isComplete) return 'running'
  return figures.hasBeenFinalized ? 'final' : 'estimate'
}

/** One row per period of the range, ascending; periods without data included. */
export function dashboardRows(
  range: DayRange,
  granularity: Granularity,
  answer: { readonly total: number; readonly nodes: readonly FiguresFragment[]; readonly dataUntil: string | null },
): DashboardRow[] {
  const byStart = new Map(answer.nodes.map(node => [startOfPeriod(granularity, day(node.date)), node]))
  const dataUntil = parseDay(answer.dataUntil ?? '')
  // A truncated answer says nothing about periods after its last one, so these get no "no data" row.
  const last = answer.total > answer.nodes.length ? [...byStart.keys()].at(-1) : undefined
  const periods = periodsOf(granularity, range).filter(period => last === undefined || period.startsOn <= last)
  return periods.map(period => {
    const figures = byStart.get(period.startsOn)
    return {
      period,
      label: periodLabel(period, granularity),
      state: figures ? stateOf(figures) : stateWithoutData(period, dataUntil),
      days: figures?.days ?? daysOf(period.covered),
      daysWithData: figures?.daysWithData ?? 0,
      figures,
    }
  })
}

const STATE_NOTES: Readonly<Record<FigureState, string | undefined>> = {
  final: undefined,
  estimate: '速報値（確定前）',
  running: '集計中（期間の途中）',
  awaited: 'まだ集計されていません',
  none: 'データなし',
}

export function chartPoints(rows: readonly DashboardRow[], granularity: Granularity): ChartPoint[] {
  return rows.map(row => {
    const note = STATE_NOTES[row.state]
    return {
      key: row.period.startsOn,
      tick: granularity === 'monthly' ? shortMonth(row.period) : formatShortDay(row.period.covered.from),
      heading: row.label,
      state: row.state === 'final' ? 'final' : 'provisional',
      values: chartValues(row.figures),
      ...(note === undefined ? {} : { note }),
    }
  })
}

type ChartedFigures = Pick<FiguresFragment, 'publisherTotalRevenue' | 'clicks'>

/** The charted values by series key. */
export function chartValues(figures: ChartedFigures | undefined): ChartPoint['values'] {
  return { revenue: figures?.publisherTotalRevenue ?? null, clicks: figures?.clicks ?? null }
}

/** For example 2026/11. With the year, because a chart may cover more than a year. */
function shortMonth({ startsOn }: Period): string {
  return `${startsOn.slice(0, 4)}/${Number(startsOn.slice(5, 7))}`
}
