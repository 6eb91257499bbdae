import { formatInteger } from '../text/format.ts'
import { type ChartMark, markText } from './chart-marks.tsx'
import type { ChartPoint, ChartSeries } from './chart-points.ts'

/** A point in words, for screen readers. */
export function describe(
  point: ChartPoint | undefined,
  series: readonly ChartSeries[],
  marks: readonly ChartMark[],
): string {
  if (!point) return 'データなし'
  const values = series
    .flatMap(one => [{ ...one }, ...(one.against ? [{ ...one.against, unit: one.unit }] : [])])
    .map(one => `${one.label} ${valueText(point.values[one.key], one.unit)}`)
  const against = point.against === undefined ? [] : [`比較 ${point.against}`]
  return [point.heading, ...values, ...against, ...(point.note ? [point.note] : []), ...marks.map(markText)].join('、')
}

function valueText(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? 'データなし' : formatInteger(value) + unit
}
