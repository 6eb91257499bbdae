/** `final`: plain. `provisional`: may still change, hatched. */
export type PointState = 'final' | 'provisional'

export interface ChartPoint {
  readonly key: string
  /** Below the axis: 11/8. */
  readonly tick: string
  /** Above the values: 2026年11月8日（日）. */
  readonly heading: string
  /** Why the point is provisional, or that it has no data. */
  readonly note?: string
  readonly state: PointState
  /** By the key of a series; null: no data, which is not zero. */
  readonly values: Readonly<Record<string, number | null>>
  /** What the values of `against` are of: 2025年11月9日（日）. */
  readonly against?: string
}

export interface ChartSeries {
  readonly key: string
  readonly label: string
  readonly unit: string
  readonly shape: 'bar' | 'line'
  /** A CSS colour. */
  readonly color: string
  /** The same measure of another time, as a quiet dashed line. */
  readonly against?: { readonly key: string; readonly label: string }
}

/** Has figures, which may still change. */
export function isHatched(point: ChartPoint): boolean {
  return point.state === 'provisional' && Object.values(point.values).some(value => value !== null)
}
