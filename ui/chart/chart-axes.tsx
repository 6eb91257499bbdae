import { formatCompact } from '../text/format.ts'
import type { ChartPoint } from './chart-points.ts'
import { dateTicks } from './date-ticks.ts'
import type { BandScale, ValueScale } from './scale.ts'
import styles from './time-series.module.css'

/** Horizontal lines across the panel, with their values on the left. */
export function ValueAxis({ scale, width }: { scale: ValueScale; width: number }) {
  return scale.ticks.map(tick => (
    <g key={tick}>
      <line className={tick === 0 ? styles.axis : styles.grid} x2={width} y1={scale.at(tick)} y2={scale.at(tick)} />
      <text className={styles.tick} x={-8} y={scale.at(tick)} dy=".35em" textAnchor="end">
        {formatCompact(tick)}
      </text>
    </g>
  ))
}

/** Dates below the axis, as many as fit. */
export function DateTicks(props: {
  points: readonly ChartPoint[]
  band: BandScale
  plotWidth: number
  y: number
  isNarrow: boolean
}) {
  const { points, band, plotWidth } = props
  return dateTicks(points, plotWidth / (props.isNarrow ? 56 : 64)).map(({ index, text }) => (
    <text key={index} className={styles.tick} x={band.middle(index)} y={props.y} textAnchor="middle">
      {text}
    </text>
  ))
}
