import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { type Day, day, parseDay } from '@pc/domain/month/day.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { periodOf, periodsOf } from '@pc/domain/report/period.ts'
import type { ChartPoint } from '@pc/ui/chart/chart-points.ts'
import { formatShortDay } from '@pc/ui/format.ts'
import { type FigureState, periodLabel } from './dashboard-rows.ts'
import { stateText } from './state-badge.tsx'

/** What a row by date says about its period. */
export interface DatedRow {
  readonly date: string | null
  readonly isComplete: boolean
  readonly hasBeenFinalized: boolean
}

export function stateOfRow({ isComplete, hasBeenFinalized }: DatedRow): FigureState {
  if (!isComplete) return 'running'
  return hasBeenFinalized ? 'final' : 'estimate'
}

/** 2026年11月8日（日） · 2026年11月8日〜14日 · 2026年11月 */
export function rowLabel(row: DatedRow, granularity: Granularity, range: DayRange): string {
  return row.date === null ? '' : periodLabel(periodOf(granularity, day(row.date), range), granularity)
}

/** A point for every period of the range, also for those without data, which are not zero. */
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
  const until: Day | undefined = parseDay(dataUntil ?? '')
  return periodsOf(granularity, range).map(period => {
    const row = byStart.get(period.startsOn)
    const isAwaited = until === undefined || period.covered.from > until
    const state = row ? stateOfRow(row) : isAwaited ? 'awaited' : 'none'
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
