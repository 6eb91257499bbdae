/** `final`: drawn plain. `provisional`: may still change, drawn hatched beside final ones. */
export type PointState = 'final' | 'provisional'

export interface ChartPoint {
  readonly key: string
  /** Text below the axis, for example 11/8. */
  readonly tick: string
  /** Heading of the tooltip, for example 2026年11月8日（日）. */
  readonly heading: string
  /** Why the point is provisional, or that it has no data. */
  readonly note?: string
  readonly state: PointState
  /** By key of the series; null: no data, which differs from zero. */
  readonly values: Readonly<Record<string, number | null>>
  /** The day of the compared values, for example 2025年11月9日（日）. */
  readonly against?: string
}

export interface ChartSeries {
  readonly key: string
  readonly label: string
  readonly unit: string
  readonly shape: 'bar' | 'line'
  /** A CSS colour. */
  readonly color: string
  /** The same measure of an earlier period, drawn as a dashed line. */
  readonly against?: { readonly key: string; readonly label: string }
}

/** Whether a point in this state has figures of its own, not only of the compared period. */
export function hasState(state: PointState, points: readonly ChartPoint[], series: readonly ChartSeries[]): boolean {
  return points.some(point => point.state === state && series.some(({ key }) => (point.values[key] ?? null) !== null))
}
