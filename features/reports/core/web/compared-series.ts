import { day } from '@pc/domain/month/day.ts'
import { dayTextWithWeekday } from '@pc/domain/month/day-text.ja.ts'
import {
  COMPARISON_LABELS,
  type Comparison,
  NOTHING_COMPARABLE,
  ONLY_ROWS_COMPARABLE,
} from '@pc/domain/report/comparison.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { type LateMedia, OWN_DAYS } from '@pc/domain/report/late-media.ja.ts'
import type { ChartPoint, ChartSeries } from '@pc/ui/chart/chart-points.ts'
import { rangeLabel } from './period-label.ts'

interface ComparedView {
  readonly compareWith: Comparison | 'none'
  readonly granularity: Granularity
}

/** The compared days of a row or of the totals, as the API answers them (YYYY-MM-DD). */
export interface ComparedDays {
  readonly from: string
  readonly to: string
}
interface ComparedPoint extends ComparedDays {
  readonly values: ChartPoint['values']
}

/** The series of a chart, each followed by a line for the compared days. */
export function comparedSeries(
  series: readonly ChartSeries[],
  { compareWith }: Pick<ComparedView, 'compareWith'>,
): readonly ChartSeries[] {
  if (compareWith === 'none') return series
  const label = COMPARISON_LABELS[compareWith]
  return series.map(one => ({ ...one, against: { key: comparedKey(one.key), label } }))
}

/**
 * The points of a chart with the compared figures added to each, so that both are drawn at the same position.
 * @param comparedAt the compared figures by the first day of a point's period; undefined when there are none
 */
export function comparedPoints(
  points: readonly ChartPoint[],
  { compareWith, granularity }: ComparedView,
  comparedAt: (startsOn: string) => ComparedPoint | undefined,
): readonly ChartPoint[] {
  if (compareWith === 'none') return points
  return points.map(point => {
    const compared = comparedAt(point.key)
    if (!compared) return point
    const before = Object.entries(compared.values).map(([key, value]) => [comparedKey(key), value])
    return {
      ...point,
      values: { ...point.values, ...Object.fromEntries(before) },
      against: granularity === 'daily' ? dayTextWithWeekday(day(compared.from)) : daysLabel(compared),
    }
  })
}

/** A row's compared figures as chart values; undefined when the row is not compared. */
export function comparedValues<Figures extends ComparedDays>(
  row: { readonly compared: Figures | null } | undefined,
  valuesOf: (figures: Figures) => ChartPoint['values'],
): ComparedPoint | undefined {
  const compared = row?.compared
  return compared ? { from: compared.from, to: compared.to, values: valuesOf(compared) } : undefined
}

/** Rows by the first day of their period, for `comparedPoints`. */
export function byStartOfPeriod<Row extends { readonly date: string | null }>(
  rows: readonly Row[],
  granularity: Granularity,
): ReadonlyMap<string, Row> {
  return new Map(rows.flatMap(row => (row.date === null ? [] : [[startOfPeriod(granularity, day(row.date)), row]])))
}

/** The parts of a report's answer that concern the comparison. */
export interface ComparedAnswer {
  readonly totals: { readonly compared: ComparedDays | null } | null
  readonly nodes: readonly { readonly compared: ComparedDays | null }[]
  readonly lateMedia: LateMedia
}

/** A Japanese note on the compared days; undefined when no comparison is chosen. */
export function comparedNote(compareWith: ComparedView['compareWith'], answer: ComparedAnswer): string | undefined {
  if (compareWith === 'none') return undefined
  const compared = answer.totals?.compared
  const text = compared ? `${COMPARISON_LABELS[compareWith]}（${daysLabel(compared)}）と比較` : nothingCompared(answer)
  return `${text}${ownDaysText(answer)}`
}

/** The note when the totals have no comparison: either single rows have one, or nothing has. */
export function nothingCompared({ nodes }: ComparedAnswer): string {
  return hasComparedRows(nodes) ? ONLY_ROWS_COMPARABLE : NOTHING_COMPARABLE
}

/** An addition to the note when a medium is late: each medium is compared only for its own delivered days. */
export function ownDaysText({ totals, nodes, lateMedia }: ComparedAnswer): string {
  const isCompared = Boolean(totals?.compared) || hasComparedRows(nodes)
  return lateMedia.length > 0 && isCompared ? `（${OWN_DAYS}）` : ''
}

const hasComparedRows = (nodes: ComparedAnswer['nodes']) => nodes.some(({ compared }) => compared !== null)

export function daysLabel({ from, to }: ComparedDays): string {
  return rangeLabel({ from: day(from), to: day(to) })
}

function comparedKey(key: string): string {
  return `${key}-compared`
}
