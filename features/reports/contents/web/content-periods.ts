import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { day, parseDay } from '@pc/domain/month/day.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { periodOf, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import type { ChartPoint } from '@pc/ui/chart/chart-points.ts'
import { formatShortDay } from '@pc/ui/text/format.ts'
import { type FigureState, periodLabel } from '../../core/web/period-label.ts'
import { stateText } from '../../core/web/state-badge.tsx'

/** The facts about the period of a row by date. */
export interface DatedRow {
  readonly date: string | null
  readonly isComplete: boolean
  readonly hasBeenFinalized: boolean
  /** Set only for a period without data, which has no figures: not delivered yet (`awaited`) or absent from deliveries. */
  readonly emptyState?: 'awaited' | 'none'
}

export function stateOfRow({ isComplete, hasBeenFinalized, emptyState }: DatedRow): FigureState {
  if (emptyState) return emptyState
  if (!isComplete) return 'running'
  return hasBeenFinalized ? 'final' : 'estimate'
}

/** Whether figures of the row may still change. */
export function isProvisionalRow(row: DatedRow): boolean {
  return !row.emptyState && stateOfRow(row) !== 'final'
}

interface PeriodAnswer<Row> {
  readonly nodes: readonly Row[]
  readonly dataUntil: string | null
}

/**
 * Adds a row for every period without data: at its date in an order by date, otherwise last, as tables sort empty values.
 * Returns no rows when no period has data.
 */
export function withEmptyPeriods<Row extends DatedRow>(
  { nodes, dataUntil }: PeriodAnswer<Row>,
  granularity: Granularity,
  range: DayRange,
  order: string,
): readonly Row[] {
  if (nodes.length === 0) return nodes
  const starts = new Set(nodes.map(row => startOfPeriod(granularity, day(row.date ?? ''))))
  const until = parseDay(dataUntil ?? '')
  const empty = periodsOf(granularity, range)
    .filter(period => !starts.has(period.startsOn))
    .map((period): DatedRow & { readonly compared: null } => ({
      ...{ date: period.startsOn, isComplete: true, hasBeenFinalized: false, compared: null },
      emptyState: stateWithoutData(period, until),
    }))
  // Empty rows lack all figures, which cells read as undefined and show as a dash; hence the cast.
  const rows = [...nodes, ...(empty as unknown as readonly Row[])]
  if (!order.startsWith('DATE')) return rows
  const sign = order === 'DATE_DESC' ? -1 : 1
  return rows.sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? -sign : sign))
}

/** 2026年11月8日（日） · 2026年11月8日〜14日 · 2026年11月 */
export function rowLabel(row: DatedRow, granularity: Granularity, range: DayRange): string {
  return row.date === null ? '' : periodLabel(periodOf(granularity, day(row.date), range), granularity)
}

/** A point for every period of the range; periods without data have no values, which is not 0. */
export function chartPointsOf<Figures, Row extends DatedRow & Figures>(
  rows: readonly Row[],
  granularity: Granularity,
  range: DayRange,
  dataUntil: string | null,
  valuesOf: (figures: Figures | undefined) => ChartPoint['values'],
): ChartPoint[] {
  const byStart = new Map(
    rows.flatMap(row => (row.date === null ? [] : [[startOfPeriod(granularity, day(row.date)), row] as const])),
  )
  const until = parseDay(dataUntil ?? '')
  return periodsOf(granularity, range).map(period => {
    const row = byStart.get(period.startsOn)
    const state = row ? stateOfRow(row) : stateWithoutData(period, until)
    return {
      key: period.startsOn,
      tick:
        granularity === 'monthly'
          ? `${period.startsOn.slice(0, 4)}/${Number(period.startsOn.slice(5, 7))}`
          : formatShortDay(period.covered.from),
      heading: periodLabel(period, granularity),
      state: state === 'final' ? 'final' : 'provisional',
      values: valuesOf(row),
      ...(state === 'final' ? {} : { note: stateText(state) }),
    }
  })
}
