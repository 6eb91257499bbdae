import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { EntityCondition, EntityName, FilterCondition } from '@pc/domain/condition/entity-filter.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { type ComponentType, createContext, type ReactNode, Suspense, use } from 'react'
import { lazy } from '../routing/lazy.ts'
import { Skeleton } from '../routing/screen-states.tsx'
import type { ChartPoint, ChartSeries } from './chart-points.ts'

/** A view of a report that can be pinned to a board. */
export interface PinnableView extends EntityCondition, Omit<FilterCondition, EntityName> {
  readonly report: 'dashboard' | 'ranking' | 'articles' | 'videos'
  readonly range: DayRange
  readonly granularity?: Granularity
  readonly compareWith?: Comparison | 'none'
  /** The view has filters that a tile cannot have. */
  readonly isNarrower?: boolean
  /** How articles are grouped. */
  readonly groupBy?: string
}

export interface NotedSeriesProps {
  title: string
  /** The key of a point is the first day of its period. */
  points: readonly ChartPoint[]
  series: readonly ChartSeries[]
  height?: number
  range: DayRange
  /** Publishers whose notes are shown, besides notes about none; empty: all that the reader may see. */
  publisherIds: readonly string[]
  /** Media of the figures. Notes about other media are hidden, and a new note begins with these; empty: all. */
  mediumIds: readonly string[]
}

/** What other features add to the screens of reports; the application provides them. */
export interface ReportSlots {
  readonly PinDialog: ComponentType<{ view: PinnableView; onClose: () => void }>
  readonly ChartNotes: ComponentType<NotedSeriesProps>
  readonly HomeParts: ComponentType
}

const SlotsContext = createContext<ReportSlots | undefined>(undefined)

export function ReportSlotsProvider({ slots, children }: { slots: ReportSlots; children: ReactNode }) {
  return <SlotsContext value={slots}>{children}</SlotsContext>
}

/** Pins a view to a board. Renders nothing where there are no boards; its code loads when it is opened. */
export function PinDialog({ view, onClose }: { view: PinnableView; onClose: () => void }) {
  const slots = use(SlotsContext)
  if (!slots) return null
  return (
    <Suspense fallback={null}>
      <slots.PinDialog view={view} onClose={onClose} />
    </Suspense>
  )
}

/**
 * What the application adds to the top of the first screen, for example duties and the setup guide; possibly nothing.
 */
export function HomeParts() {
  const slots = use(SlotsContext)
  return <Suspense fallback={null}>{slots && <slots.HomeParts />}</Suspense>
}

/** A chart over time with its notes; the code of both loads when there is something to draw. */
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
/** In pixels. */
const DEFAULT_HEIGHT = 312
/** Height reserved below the chart, so that nothing moves when the code arrives. */
const NOTES_BAR_HEIGHT = 44
