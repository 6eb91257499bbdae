import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { EntityCondition, EntityName, FilterCondition } from '@pc/domain/condition/entity-filter.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { type ComponentType, createContext, type ReactNode, Suspense, use } from 'react'
import { lazy } from '../routing/lazy.ts'
import { Skeleton } from '../routing/screen-states.tsx'
import type { ChartPoint, ChartSeries } from './chart-points.ts'

/** A view of a report, as it can be pinned on a board. */
export interface PinnableView extends EntityCondition, Omit<FilterCondition, EntityName> {
  readonly report: 'dashboard' | 'ranking' | 'articles' | 'videos'
  readonly range: DayRange
  readonly granularity?: Granularity
  readonly compareWith?: Comparison | 'none'
  /** The view shows less than a tile can be narrowed to. */
  readonly isNarrower?: boolean
  /** Of articles: what the rows are. */
  readonly groupBy?: string
}

export interface NotedSeriesProps {
  title: string
  /** The key of a point is the first day of its period. */
  points: readonly ChartPoint[]
  series: readonly ChartSeries[]
  height?: number
  range: DayRange
  /** Whose notes are shown beside those of no publisher; empty: everybody's that the reader may see. */
  publisherIds: readonly string[]
  /** What the figures are narrowed to: notes on other media are not shown, and a new one begins with them; empty: all. */
  mediumIds: readonly string[]
}

/** What other features add to the screens of the reports; the application puts it in. */
export interface ReportSlots {
  readonly PinDialog: ComponentType<{ view: PinnableView; onClose: () => void }>
  readonly ChartNotes: ComponentType<NotedSeriesProps>
  readonly HomeParts: ComponentType
}

const SlotsContext = createContext<ReportSlots | undefined>(undefined)

export function ReportSlotsProvider({ slots, children }: { slots: ReportSlots; children: ReactNode }) {
  return <SlotsContext value={slots}>{children}</SlotsContext>
}

/** Puts a view of a report on a board. Nothing where no boards are; its code comes when it is opened. */
export function PinDialog({ view, onClose }: { view: PinnableView; onClose: () => void }) {
  const slots = use(SlotsContext)
  if (!slots) return null
  return (
    <Suspense fallback={null}>
      <slots.PinDialog view={view} onClose={onClose} />
    </Suspense>
  )
}

/** What the application shows at the top of the first screen: duties, setup guide. Nothing where it adds none. */
export function HomeParts() {
  const slots = use(SlotsContext)
  return <Suspense fallback={null}>{slots && <slots.HomeParts />}</Suspense>
}

/** A chart over time with the notes on it; the code of both comes when there is something to draw. */
export function NotedSeries(props: NotedSeriesProps) {
  const slots = use(SlotsContext)
  const { title, points, series, height = DEFAULT_HEIGHT } = props
  return (
    <Suspense fallback={<Skeleton height={height + (slots ? NOTES_BAR_HEIGHT : 0)} />}>
      {slots ? <slots.ChartNotes {...props} /> : <TimeSeries {...{ title, points, series, height }} />}
    </Suspense>
  )
}

const TimeSeries = lazy(() => import('./time-series.tsx').then(module => ({ default: module.TimeSeries })))
const DEFAULT_HEIGHT = 312
/** Below the chart, so that nothing moves when the code arrives. */
const NOTES_BAR_HEIGHT = 44
