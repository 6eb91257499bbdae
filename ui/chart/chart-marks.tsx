import type { BandScale } from './scale.ts'
import styles from './time-series.module.css'

/** A note on one point or on a range of points. */
export interface ChartMark {
  readonly key: string
  /** Shown on its flag and in the list below the chart. */
  readonly number: number
  /** Indexes of points, both included. */
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The marks whose span contains the point `index`. */
export function marksAt(marks: readonly ChartMark[], index: number): readonly ChartMark[] {
  return marks.filter(mark => mark.from <= index && index <= mark.to)
}

export function markText({ number, text }: ChartMark): string {
  return `メモ${number}：${text}`
}

/** In pixels. */
const FLAG_RADIUS = 8

interface MarkProps {
  marks: readonly ChartMark[]
  band: BandScale
}

/** Drawn behind the figures: a line at a point, a band over a range. */
export function MarkBands({ marks, band, height }: MarkProps & { height: number }) {
  return marks.map(mark => {
    const start = mark.from * band.step
    const middle = band.middle(mark.from)
    return (
      <g key={mark.key} className={styles.mark}>
        {mark.to > mark.from ? (
          <>
            <rect x={start} y={0} width={(mark.to - mark.from + 1) * band.step} height={height} />
            <line x1={start} x2={(mark.to + 1) * band.step} y1={0} y2={0} />
          </>
        ) : (
          <line x1={middle} x2={middle} y1={0} y2={height} strokeDasharray="3 3" />
        )}
      </g>
    )
  })
}

/** Drawn in front of the figures: a numbered flag where each note begins. */
export function MarkFlags({ marks, band }: MarkProps) {
  return marks.map(mark => {
    const x = mark.to > mark.from ? mark.from * band.step + FLAG_RADIUS : band.middle(mark.from)
    return (
      <g key={mark.key} className={styles.mark}>
        <circle cx={x} cy={0} r={FLAG_RADIUS} />
        <text x={x} y={0} dy=".35em" textAnchor="middle">
          {mark.number}
        </text>
      </g>
    )
  })
}
