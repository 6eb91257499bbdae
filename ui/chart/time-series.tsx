import { type KeyboardEvent, type PointerEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatCompact, formatInteger, NO_VALUE } from '../format.ts'
import { type ChartMark, MarkBands, MarkFlags, marksAt, markText } from './chart-marks.tsx'
import { type BandScale, bandScale, linePath, type ValueScale, valueScale } from './scale.ts'
import styles from './time-series.module.css'

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
}

export interface ChartSeries {
  readonly key: string
  readonly label: string
  readonly unit: string
  readonly shape: 'bar' | 'line'
  /** A CSS colour. */
  readonly color: string
  /** The same measure of another time, as a dashed line over the bars. */
  readonly against?: { readonly key: string; readonly label: string }
}

interface TimeSeriesProps {
  title: string
  points: readonly ChartPoint[]
  /** One panel each, never two axes in one. */
  series: readonly ChartSeries[]
  height?: number
  /** Without the legend: where the title says what the one series is. */
  isPlain?: boolean
  /** Notes on points and ranges of points. */
  marks?: readonly ChartMark[]
  /** Enter on a point, or a double press on it. */
  onChoose?: (index: number) => void
}

const NO_MARKS: readonly ChartMark[] = []
const TIP_WIDTH = 208
const PANEL_GAP = 36
const WIDEST_BAR = 44
const MARGIN = { top: 26, right: 12, bottom: 26 }

export function TimeSeries(props: TimeSeriesProps) {
  'use memo'
  const { title, points, series, height = 312, marks = NO_MARKS, onChoose } = props
  const [place, width] = useWidth()
  const [cursor, setCursor] = useState<number>()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const titleId = useId()
  const hatchId = useId().replace(/[^\w-]/g, '')
  const shown = series.filter(one => !hidden.includes(one.key))
  const isNarrow = width < 520
  const left = isNarrow ? 48 : 56
  const plotWidth = Math.max(0, width - left - MARGIN.right)
  const plotHeight = height - MARGIN.top - MARGIN.bottom
  const band = bandScale(points.length, plotWidth, points.length > 60 ? 0.2 : 0.34)
  const panels = layPanels(shown, points, plotHeight)
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
        <Legend series={series} hidden={hidden} hasProvisional={points.some(isHatched)} onToggle={toggle} />
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
                  hatchId={hatchId}
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

interface Panel {
  readonly series: ChartSeries
  readonly top: number
  readonly bottom: number
  readonly scale: ValueScale
}

/** Bars get half as much height again as lines. */
function layPanels(series: readonly ChartSeries[], points: readonly ChartPoint[], height: number): Panel[] {
  const weight = (one: ChartSeries) => (one.shape === 'bar' ? 1.5 : 1)
  const total = series.reduce((sum, one) => sum + weight(one), 0)
  const free = height - PANEL_GAP * (series.length - 1)
  let top = 0
  return series.map(one => {
    const bottom = top + (free * weight(one)) / total
    const keys = one.against ? [one.key, one.against.key] : [one.key]
    const max = points.reduce((most, point) => Math.max(most, ...keys.map(key => point.values[key] ?? 0)), 0)
    const panel = { series: one, top, bottom, scale: valueScale(max, bottom, top, 3) }
    top = bottom + PANEL_GAP
    return panel
  })
}

function moveCursor(key: string, at: number | undefined, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7 }
  if (key === 'Escape') return undefined
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = steps[key]
  return step === undefined ? at : Math.min(count - 1, Math.max(0, (at ?? count) + step))
}

function isHatched(point: ChartPoint): boolean {
  return point.state === 'provisional' && Object.values(point.values).some(value => value !== null)
}

function describe(point: ChartPoint | undefined, series: readonly ChartSeries[], marks: readonly ChartMark[]): string {
  if (!point) return 'データなし'
  const values = series
    .flatMap(one => [{ ...one }, ...(one.against ? [{ ...one.against, unit: one.unit }] : [])])
    .map(one => `${one.label} ${valueText(point.values[one.key], one.unit)}`)
  return [point.heading, ...values, ...(point.note ? [point.note] : []), ...marks.map(markText)].join('、')
}

function valueText(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? 'データなし' : formatInteger(value) + unit
}

function Legend(props: {
  series: readonly ChartSeries[]
  hidden: readonly string[]
  hasProvisional: boolean
  onToggle: (key: string) => void
}) {
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">表示する指標</legend>
      {props.series.map(one => (
        <button
          key={one.key}
          type="button"
          aria-pressed={!props.hidden.includes(one.key)}
          onClick={() => props.onToggle(one.key)}
        >
          <i data-shape={one.shape} style={{ background: one.color }} />
          {one.label}
        </button>
      ))}
      {props.series.map(
        one =>
          one.against && (
            <span key={one.against.key} className={styles.againstLabel}>
              <i aria-hidden />
              {one.against.label}
            </span>
          ),
      )}
      {props.hasProvisional && (
        <span className={styles.provisional}>
          <i aria-hidden />
          速報・集計中
        </span>
      )}
    </fieldset>
  )
}

function Hatches({ id, series }: { id: string; series: readonly ChartSeries[] }) {
  return (
    <defs>
      {series.map(one => (
        <pattern
          key={one.key}
          id={`${id}-${one.key}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width={6} height={6} fill={one.color} opacity={0.3} />
          <rect width={1.5} height={6} fill={one.color} opacity={0.75} />
        </pattern>
      ))}
    </defs>
  )
}

interface MarksProps {
  panel: Panel
  points: readonly ChartPoint[]
  band: BandScale
  plotWidth: number
  left: number
  at: number | undefined
  hatchId: string
}

function PanelMarks({ panel, points, band, plotWidth, left, at, hatchId }: MarksProps) {
  'use memo'
  const { series, scale, top } = panel
  return (
    <g>
      <text className={styles.unit} x={4 - left} y={top - 12}>
        {series.label}（{series.unit}）
      </text>
      {scale.ticks.map(tick => (
        <g key={tick}>
          <line
            className={tick === 0 ? styles.axis : styles.grid}
            x2={plotWidth}
            y1={scale.at(tick)}
            y2={scale.at(tick)}
          />
          <text className={styles.tick} x={-8} y={scale.at(tick)} dy=".35em" textAnchor="end">
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {series.shape === 'bar' ? (
        <Bars panel={panel} points={points} band={band} at={at} hatchId={hatchId} />
      ) : (
        <Line panel={panel} points={points} band={band} at={at} />
      )}
      {series.against && <AgainstLine panel={panel} points={points} band={band} />}
    </g>
  )
}

function Bars({ panel, points, band, at, hatchId }: Omit<MarksProps, 'plotWidth' | 'left'>) {
  'use memo'
  const { series, scale, bottom } = panel
  return points.map((point, index) => {
    const value = point.values[series.key]
    if (value === null || value === undefined) return null
    const y = Math.min(scale.at(value), bottom)
    return (
      <rect
        key={point.key}
        x={band.start(index)}
        y={y}
        width={Math.min(band.width, WIDEST_BAR)}
        transform={band.width > WIDEST_BAR ? `translate(${(band.width - WIDEST_BAR) / 2})` : undefined}
        height={bottom - y}
        rx={1.5}
        fill={point.state === 'provisional' ? `url(#${hatchId}-${series.key})` : series.color}
        opacity={at === undefined || at === index ? 1 : 0.55}
      />
    )
  })
}

/** Solid where final, dashed towards provisional points. */
function Line({ panel, points, band, at }: Omit<MarksProps, 'plotWidth' | 'left' | 'hatchId'>) {
  'use memo'
  const { series, scale, bottom } = panel
  const position = (index: number) => {
    const value = points[index]?.values[series.key]
    return value === null || value === undefined ? undefined : ([band.middle(index), scale.at(value)] as const)
  }
  const all = points.map((_, index) => position(index))
  const isProvisional = (index: number) => points[index]?.state === 'provisional'
  const solid = all.map((one, index) => (isProvisional(index) ? undefined : one))
  const dashed = all.map((one, index) => (isProvisional(index) || isProvisional(index + 1) ? one : undefined))
  const marked = at === undefined ? undefined : all[at]
  const lone = all.flatMap((one, index) => (one && !all[index - 1] && !all[index + 1] ? [one] : []))
  return (
    <>
      {runsOf(all).map(run => (
        <path
          key={run[0]![0]}
          d={`${linePath(run)}L${run.at(-1)![0].toFixed(1)} ${bottom}L${run[0]![0].toFixed(1)} ${bottom}Z`}
          fill={series.color}
          opacity={0.08}
        />
      ))}
      <path d={linePath(solid)} className={styles.line} stroke={series.color} />
      <path d={linePath(dashed)} className={styles.line} stroke={series.color} strokeDasharray="4 4" />
      {[...lone, ...(marked ? [marked] : [])].map(([x, y]) => (
        <circle key={x} className={styles.dot} cx={x} cy={y} r={4} fill={series.color} />
      ))}
    </>
  )
}

function AgainstLine({ panel, points, band }: Pick<MarksProps, 'panel' | 'points' | 'band'>) {
  const key = panel.series.against?.key ?? ''
  const path = points.map((point, index) => {
    const value = point.values[key]
    return value === null || value === undefined ? undefined : ([band.middle(index), panel.scale.at(value)] as const)
  })
  return <path d={linePath(path)} className={styles.against} />
}

function runsOf<T>(values: readonly (T | undefined)[]): T[][] {
  const runs: T[][] = [[]]
  for (const value of values) {
    if (value === undefined) runs.push([])
    else runs.at(-1)!.push(value)
  }
  return runs.filter(run => run.length > 1)
}

function DateTicks(props: {
  points: readonly ChartPoint[]
  band: BandScale
  plotWidth: number
  y: number
  isNarrow: boolean
}) {
  'use memo'
  const { points, band, plotWidth } = props
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, plotWidth / (props.isNarrow ? 56 : 64))))
  return points.map((point, index) =>
    index % every === 0 ? (
      <text key={point.key} className={styles.tick} x={band.middle(index)} y={props.y} textAnchor="middle">
        {point.tick}
      </text>
    ) : null,
  )
}

function tipPosition(x: number, width: number, step: number): number {
  const gap = step / 2 + 8
  const wanted = x > width / 2 ? x - gap - TIP_WIDTH : x + gap
  return Math.min(Math.max(0, wanted), Math.max(0, width - TIP_WIDTH))
}

function Tip(props: { point: ChartPoint; series: readonly ChartSeries[]; marks: readonly ChartMark[]; x: number }) {
  const { point, series, marks, x } = props
  return (
    <div className={styles.tip} style={{ width: TIP_WIDTH, transform: `translateX(${x}px)` }} aria-hidden>
      <b>{point.heading}</b>
      {series.flatMap(tipLines).map(one => {
        const value = point.values[one.key]
        return (
          <div key={one.key}>
            <i style={{ background: one.color }} />
            <span>{one.label}</span>
            <em className="num">
              {value === null || value === undefined ? NO_VALUE : formatInteger(value)}
              <small>{one.unit}</small>
            </em>
          </div>
        )
      })}
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
  return [one, ...(against ? [{ ...against, unit: one.unit, color: 'var(--fg3)' }] : [])]
}

/** The width of the plot; while the sidebar moves it is measured only when it has come to rest. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => setWidth(place.current?.clientWidth ?? 0), [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new ResizeObserver(([entry]) => {
      clearTimeout(timer)
      timer = setTimeout(() => setWidth(Math.round(entry?.contentRect.width ?? 0)), 120)
    })
    if (place.current) observer.observe(place.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  return [place, width] as const
}
