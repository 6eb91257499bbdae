import { formatInteger, NO_VALUE } from '../text/format.ts'
import { type ChartMark, markText } from './chart-marks.tsx'
import type { ChartPoint, ChartSeries } from './chart-points.ts'
import styles from './time-series.module.css'

/** In pixels. */
const TIP_WIDTH = 208

/** Left edge of the tooltip: beside the point, on the side with more room. */
export function tipPosition(x: number, width: number, step: number): number {
  const gap = step / 2 + 8
  const wanted = x > width / 2 ? x - gap - TIP_WIDTH : x + gap
  return Math.min(Math.max(0, wanted), Math.max(0, width - TIP_WIDTH))
}

/** Tooltip with the figures of the point under the pointer. */
export function Tip(props: {
  point: ChartPoint
  series: readonly ChartSeries[]
  marks: readonly ChartMark[]
  x: number
}) {
  const { point, series, marks, x } = props
  return (
    <div className={styles.tip} style={{ width: TIP_WIDTH, transform: `translateX(${x}px)` }} aria-hidden>
      <b>{point.heading}</b>
      {series.flatMap(tipLines).map(one => {
        const value = point.values[one.key]
        return (
          <div key={one.key}>
            {one.isAgainst ? (
              <i className={styles.againstSample} style={{ color: one.color }} />
            ) : (
              <i style={{ background: one.color }} />
            )}
            <span>{one.label}</span>
            <em className="num">
              {value === null || value === undefined ? NO_VALUE : formatInteger(value)}
              <small>{one.unit}</small>
            </em>
          </div>
        )
      })}
      {point.against && <p>比較：{point.against}</p>}
      {point.note && <p>{point.note}</p>}
      {marks.map(mark => (
        <p key={mark.key} className={styles.marked}>
          {markText(mark)}
        </p>
      ))}
    </div>
  )
}

function tipLines({ against, ...one }: ChartSeries) {
  const { unit, color } = one
  return [{ ...one, isAgainst: false }, ...(against ? [{ ...against, unit, color, isAgainst: true }] : [])]
}
