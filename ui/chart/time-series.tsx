import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react'
import { DateTicks } from './chart-axes.tsx'
import { Legend } from './chart-legend.tsx'
import { type ChartMark, MarkBands, MarkFlags, marksAt } from './chart-marks.tsx'
import { type ChartPoint, type ChartSeries, hasState } from './chart-points.ts'
import { Tip, tipPosition } from './chart-tip.tsx'
import { Hatches, PanelMarks } from './panel-marks.tsx'
import { layPanels } from './plot-panels.ts'
import { moveCursor } from './point-cursor.ts'
import { describe } from './point-text.ts'
import { bandScale } from './scale.ts'
import styles from './time-series.module.css'
import { useWidth } from './use-width.ts'

interface TimeSeriesProps {
  title: string
  points: readonly ChartPoint[]
  /** One panel each; a panel never has two axes. */
  series: readonly ChartSeries[]
  height?: number
  /** Without a legend, where the title already names the only series. */
  isPlain?: boolean
  /** Notes on points and ranges of points. */
  marks?: readonly ChartMark[]
  /** Called for Enter on a point, or for a double click on it. */
  onChoose?: (index: number) => void
}

const NO_MARKS: readonly ChartMark[] = []
const MARGIN = { top: 26, right: 12, bottom: 26 }

/** Figures over time: one panel per measure, read with the pointer or the arrow keys. */
export function TimeSeries(props: TimeSeriesProps) {
  const { title, points, series, height = 312, marks = NO_MARKS, onChoose } = props
  const [place, width] = useWidth()
  const [cursor, setCursor] = useState<number>()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const titleId = useId()
  // Where nothing is final the legend says so once.
  const hasFinal = hasState('final', points, series)
  const hatchId = useId().replace(/[^\w-]/g, '')
  const shown = useMemo(() => series.filter(one => !hidden.includes(one.key)), [series, hidden])
  const isNarrow = width < 520
  const left = isNarrow ? 48 : 56
  const plotWidth = Math.max(0, width - left - MARGIN.right)
  const plotHeight = height - MARGIN.top - MARGIN.bottom
  // Memoised, because components that draw hundreds of elements depend on it.
  const band = useMemo(
    () => bandScale(points.length, plotWidth, points.length > 60 ? 0.2 : 0.34),
    [points.length, plotWidth],
  )
  const panels = useMemo(() => layPanels(shown, points, plotHeight), [shown, points, plotHeight])
  const at = cursor === undefined || cursor >= points.length ? undefined : cursor
  const point = at === undefined ? undefined : points[at]

  const toggle = (key: string) =>
    setHidden(now => (now.includes(key) ? now.filter(other => other !== key) : shown.length > 1 ? [...now, key] : now))
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left
    const index = Math.floor(x / band.step)
    setCursor(index >= 0 && index < points.length ? index : undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && onChoose && points.length > 0) return onChoose(at ?? points.length - 1)
    const next = moveCursor(event.key, at, points.length)
    if (next === at) return
    event.preventDefault()
    setCursor(next)
  }

  return (
    <figure className={styles.figure} aria-labelledby={titleId}>
      <figcaption id={titleId} className="visually-hidden">
        {title}
      </figcaption>
      {!props.isPlain && (
        <Legend
          series={series}
          hidden={hidden}
          hasProvisional={hasState('provisional', points, series)}
          hasFinal={hasFinal}
          onToggle={toggle}
        />
      )}
      <div
        ref={place}
        className={styles.plot}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={`${title}。左右キーで日付を移動${onChoose ? '、Enterキーでその日にメモを追加' : ''}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={at ?? Math.max(0, points.length - 1)}
        aria-valuetext={describe(points[at ?? points.length - 1], shown, marksAt(marks, at ?? points.length - 1))}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(undefined)}
        onPointerMove={onPointerMove}
        onPointerDown={onPointerMove}
        onPointerLeave={() => setCursor(undefined)}
        onDoubleClick={() => at !== undefined && onChoose?.(at)}
      >
        {width > 0 && (
          <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            <Hatches id={hatchId} series={shown} />
            <g transform={`translate(${left},${MARGIN.top})`}>
              {at !== undefined && (
                <rect className={styles.cursor} x={at * band.step} y={-4} width={band.step} height={plotHeight + 4} />
              )}
              <MarkBands marks={marks} band={band} height={plotHeight} />
              {panels.map(panel => (
                <PanelMarks
                  key={panel.series.key}
                  panel={panel}
                  points={points}
                  band={band}
                  plotWidth={plotWidth}
                  left={left}
                  at={at}
                  hatchId={(hasFinal || props.isPlain === true) && hatchId}
                />
              ))}
              <MarkFlags marks={marks} band={band} />
              <DateTicks points={points} band={band} plotWidth={plotWidth} y={plotHeight + 18} isNarrow={isNarrow} />
            </g>
          </svg>
        )}
        {point && at !== undefined && (
          <Tip
            point={point}
            series={shown}
            marks={marksAt(marks, at)}
            x={tipPosition(left + band.middle(at), width, band.step)}
          />
        )}
      </div>
    </figure>
  )
}
