import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { day } from '@pc/domain/month/day.ts'
import { dayTextWithWeekday } from '@pc/domain/month/day-text.ja.ts'
import { COMPARISON_LABELS, type Comparison, comparedRange } from '@pc/domain/report/comparison.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { periodOf } from '@pc/domain/report/period.ts'
import type { ChartPoint, ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { rangeLabel } from './dashboard-rows.ts'

interface ComparedView {
  readonly compareWith: Comparison | 'none'
  readonly granularity: Granularity
  readonly range: DayRange
}

/** The measures of a chart, each with a line for the compared days. */
export function comparedSeries(series: readonly ChartSeries[], { compareWith }: ComparedView): readonly ChartSeries[] {
  if (compareWith === 'none') return series
  const label = COMPARISON_LABELS[compareWith]
  return series.map(one => ({ ...one, against: { key: comparedKey(one.key), label } }))
}

/**
 * The points of a chart with the figures of the days that each is compared with, which stand at the same place.
 * @param comparedAt by the first day of a point's period; undefined: nothing is known of its compared days
 */
export function comparedPoints(
  points: readonly ChartPoint[],
  { compareWith, granularity, range }: ComparedView,
  comparedAt: (startsOn: string) => ChartPoint['values'] | undefined,
): readonly ChartPoint[] {
  if (compareWith === 'none') return points
  return points.map(point => {
    const days = comparedRange(compareWith, range, periodOf(granularity, day(point.key), range).covered)
    const values = comparedAt(point.key)
    if (!days || !values) return point
    const before = Object.entries(values).map(([key, value]) => [comparedKey(key), value])
    return {
      ...point,
      values: { ...point.values, ...Object.fromEntries(before) },
      against: granularity === 'daily' ? dayTextWithWeekday(days.from) : rangeLabel(days),
    }
  })
}

/** What a row is compared with, as the chart draws it. */
export function comparedValues<Figures>(
  row: { readonly compared: Figures | null } | undefined,
  valuesOf: (figures: Figures) => ChartPoint['values'],
): ChartPoint['values'] | undefined {
  return row?.compared ? valuesOf(row.compared) : undefined
}

/** Rows by date, as `comparedPoints` looks them up. */
export function byStartOfPeriod<Row extends { readonly date: string | null }>(
  rows: readonly Row[],
  granularity: Granularity,
): ReadonlyMap<string, Row> {
  return new Map(rows.flatMap(row => (row.date === null ? [] : [[startOfPeriod(granularity, day(row.date)), row]])))
}

/** Which days are compared, beside the days that are shown; undefined when nothing is. */
export function comparedNote({ compareWith, range }: Pick<ComparedView, 'compareWith' | 'range'>): string | undefined {
  if (compareWith === 'none') return undefined
  const days = comparedRange(compareWith, range)
  return days ? `${COMPARISON_LABELS[compareWith]}（${rangeLabel(days)}）と比較` : '比較できる期間がありません'
}

function comparedKey(key: string): string {
  return `${key}-compared`
}
