import type { BandScale } from './scale.ts'
import styles from './time-series.module.css'

/** A note on a point, or on all points from one to another. */
export interface ChartMark {
  readonly key: string
  /** Stands on its flag and before its text in the list below the chart. */
  readonly number: number
  /** Indexes of points, both included. */
  readonly from: number
  readonly to: number
  readonly text: string
}

export function marksAt(marks: readonly ChartMark[], index: number): readonly ChartMark[] {
  return marks.filter(mark => mark.from <= index && index <= mark.to)
}

export function markText({ number, text }: ChartMark): string {
  return `メモ${number}：${text}`
}

const FLAG_RADIUS = 8

/** A numbered flag above the points of each note, and a band where there are several. */
export function MarkFlags(props: { marks: readonly ChartMark[]; band: BandScale; height: number }) {
  const { band, height } = props
  return props.marks.map(mark => {
    const start = mark.from * band.step
    const isRange = mark.to > mark.from
    const middle = isRange ? start + FLAG_RADIUS : band.middle(mark.from)
    return (
      <g key={mark.key} className={styles.mark}>
        {isRange ? (
          <rect x={start} y={0} width={(mark.to - mark.from + 1) * band.step} height={height} />
        ) : (
          <line x1={middle} x2={middle} y1={0} y2={height} strokeDasharray="3 3" />
        )}
        {isRange && <line x1={start} x2={(mark.to + 1) * band.step} y1={0} y2={0} />}
        <circle cx={middle} cy={0} r={FLAG_RADIUS} />
        <text x={middle} y={0} dy=".35em" textAnchor="middle">
          {mark.number}
        </text>
      </g>
    )
  })
}
