import type { ChartPoint, ChartSeries } from './chart-points.ts'
import { type ValueScale, valueScale } from './scale.ts'

/** In pixels. */
const PANEL_GAP = 36

/** The area of one measure; panels are stacked. */
export interface Panel {
  readonly series: ChartSeries
  readonly top: number
  readonly bottom: number
  readonly scale: ValueScale
}

/** Panels of bars are 1.5 times as high as panels of lines. */
export function layPanels(series: readonly ChartSeries[], points: readonly ChartPoint[], height: number): Panel[] {
  const weight = (one: ChartSeries) => (one.shape === 'bar' ? 1.5 : 1)
  const total = series.reduce((sum, one) => sum + weight(one), 0)
  const free = height - PANEL_GAP * (series.length - 1)
  let top = 0
  return series.map(one => {
    const bottom = top + (free * weight(one)) / total
    const keys = one.against ? [one.key, one.against.key] : [one.key]
    const values = points.flatMap(point => keys.map(key => point.values[key] ?? 0))
    const least = values.reduce((a, b) => Math.min(a, b), 0)
    const greatest = values.reduce((a, b) => Math.max(a, b), 0)
    const panel = { series: one, top, bottom, scale: valueScale({ least, greatest }, bottom, top, 3) }
    top = bottom + PANEL_GAP
    return panel
  })
}
