import { ValueAxis } from './chart-axes.tsx'
import type { ChartPoint, ChartSeries } from './chart-points.ts'
import type { Panel } from './plot-panels.ts'
import { type BandScale, linePath } from './scale.ts'
import styles from './time-series.module.css'

/** In pixels. */
const WIDEST_BAR = 44

/** Hatch patterns of provisional bars, one per measure. */
export function Hatches({ id, series }: { id: string; series: readonly ChartSeries[] }) {
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
  /** Where the points stand, in pixels from the left edge of the plot. */
  band: BandScale
  plotWidth: number
  /** Width of the labels before the plot, in pixels. */
  left: number
  /** Index of the point under the pointer or the keyboard's cursor; the others are dimmed. */
  at: number | undefined
  /** Begins the ids of this chart's hatch patterns: a page has several charts. False: no bar is hatched. */
  hatchId: string | false
}

/**
 * One measure: its name, its axis, and its bars or line. Drawn again at every move of the pointer, so the React Compiler keeps what
 * has not changed (docs/adr/0007).
 * Tested by `ui/chart/time-series.browser.test.tsx`.
 */
export function PanelMarks({ panel, points, band, plotWidth, left, at, hatchId }: MarksProps) {
  'use memo'
  const { series, scale, top } = panel
  return (
    <g>
      <text className={styles.unit} x={4 - left} y={top - 12}>
        {series.label}（{series.unit}）
      </text>
      <ValueAxis scale={scale} width={plotWidth} />
      {/* Behind a line; bars would hide it. */}
      {series.shape === 'line' && <AgainstLine panel={panel} points={points} band={band} />}
      {series.shape === 'bar' ? (
        <Bars panel={panel} points={points} band={band} at={at} hatchId={hatchId} />
      ) : (
        <Line panel={panel} points={points} band={band} at={at} />
      )}
      {series.shape === 'bar' && <AgainstLine panel={panel} points={points} band={band} />}
    </g>
  )
}

function Bars({ panel, points, band, at, hatchId }: Omit<MarksProps, 'plotWidth' | 'left'>) {
  'use memo'
  const { series, scale } = panel
  const zero = scale.at(0)
  return points.map((point, index) => {
    const value = point.values[series.key]
    if (value === null || value === undefined) return null
    const y = scale.at(value)
    return (
      <rect
        key={point.key}
        x={band.start(index)}
        y={Math.min(y, zero)}
        width={Math.min(band.width, WIDEST_BAR)}
        transform={band.width > WIDEST_BAR ? `translate(${(band.width - WIDEST_BAR) / 2})` : undefined}
        height={Math.abs(zero - y)}
        rx={1.5}
        fill={hatchId && point.state === 'provisional' ? `url(#${hatchId}-${series.key})` : series.color}
        opacity={at === undefined || at === index ? 1 : 0.55}
      />
    )
  })
}

/** A line, solid between final points and dashed towards provisional ones. */
function Line({ panel, points, band, at }: Omit<MarksProps, 'plotWidth' | 'left' | 'hatchId'>) {
  'use memo'
  const { series, scale } = panel
  const zero = scale.at(0)
  const position = (index: number) => {
    const value = points[index]?.values[series.key]
    return value === null || value === undefined ? undefined : ([band.middle(index), scale.at(value)] as const)
  }
  const all = points.map((_, index) => position(index))
  const isProvisional = (index: number) => points[index]?.state === 'provisional'
  const solid = all.map((one, index) => (isProvisional(index) ? undefined : one))
  const dashed = all.map((one, index) => (isProvisional(index) || isProvisional(index + 1) ? one : undefined))
  const marked = at === undefined ? undefined : all[at]
  const single = all.flatMap((one, index) => (one && !all[index - 1] && !all[index + 1] ? [one] : []))
  return (
    <>
      {runsOf(all).map(run => (
        <path
          key={run[0]![0]}
          d={`${linePath(run)}L${run.at(-1)![0].toFixed(1)} ${zero}L${run[0]![0].toFixed(1)} ${zero}Z`}
          fill={series.color}
          opacity={0.08}
        />
      ))}
      <path d={linePath(solid)} className={styles.line} stroke={series.color} />
      <path d={linePath(dashed)} className={styles.line} stroke={series.color} strokeDasharray="4 4" />
      {[...single, ...(marked ? [marked] : [])].map(([x, y]) => (
        <circle key={x} className={styles.dot} cx={x} cy={y} r={4} fill={series.color} />
      ))}
    </>
  )
}

/** The same measure in the compared period. */
function AgainstLine({ panel, points, band }: Pick<MarksProps, 'panel' | 'points' | 'band'>) {
  const { against, shape, color } = panel.series
  if (!against) return null
  const path = points.map((point, index) => {
    const value = point.values[against.key]
    return value === null || value === undefined ? undefined : ([band.middle(index), panel.scale.at(value)] as const)
  })
  const d = linePath(path)
  return (
    <>
      {shape === 'bar' && <path d={d} className={styles.againstEdge} />}
      <path d={d} className={styles.against} style={{ color }} data-over={shape} />
    </>
  )
}

function runsOf<T>(values: readonly (T | undefined)[]): T[][] {
  const runs: T[][] = [[]]
  for (const value of values) {
    if (value === undefined) runs.push([])
    else runs.at(-1)!.push(value)
  }
  return runs.filter(run => run.length > 1)
}
