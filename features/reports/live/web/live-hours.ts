import type { ChartPoint } from '@pc/ui/chart/chart-points.ts'
import type { LiveFiguresFragment } from './live-today.gen.ts'

export const LIVE_FIGURES = ['impressions', 'clicks', 'watchCount'] as const
export type LiveFigure = (typeof LIVE_FIGURES)[number]

export const LIVE_LABELS: Readonly<Record<LiveFigure, string>> = {
  impressions: '表示回数',
  clicks: 'クリック数',
  watchCount: '閲覧・再生数',
}

type Hours = readonly LiveFiguresFragment[]
const HOURS = 24

/** A point for each of the 24 hours. Hours that have not begun have no figure; the running one is marked as incomplete. */
export function livePoints(hours: Hours, lastWeek: Hours, figure: LiveFigure): ChartPoint[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const isRunning = hour === hours.length - 1
    const has = hour < hours.length
    return {
      key: String(hour),
      tick: `${hour}時`,
      heading: `${hour}時台`,
      state: isRunning ? 'provisional' : 'final',
      values: { today: hours[hour]?.[figure] ?? null, lastWeek: lastWeek[hour]?.[figure] ?? null },
      ...(has
        ? isRunning
          ? { note: '集計中（この時間はまだ終わっていません）' }
          : {}
        : { note: 'まだこの時刻ではありません' }),
    }
  })
}

export interface LiveSums {
  /** The sum of all hours that have begun. */
  readonly soFar: number
  /** The sum of finished hours; `overLastWeek` is that of the same hours a week before, undefined when unknown. */
  readonly over: number
  readonly overLastWeek: number | undefined
}

/** The comparison excludes the running hour, which is incomplete and would always look like a loss. */
export function liveSums(hours: Hours, lastWeek: Hours, figure: LiveFigure): LiveSums {
  const sum = (of: Hours) => of.reduce((total, hour) => total + hour[figure], 0)
  const over = Math.max(0, hours.length - 1)
  return {
    soFar: sum(hours),
    over: sum(hours.slice(0, over)),
    overLastWeek: lastWeek.length === 0 || over === 0 ? undefined : sum(lastWeek.slice(0, over)),
  }
}
