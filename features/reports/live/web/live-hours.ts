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

/** All hours of the day; those that have not begun have no figure, and the running one is not over. */
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
  /** Of all hours that have begun. */
  readonly soFar: number
  /** Of the hours that are over, and of the same hours a week before; undefined where nothing is known of them. */
  readonly over: number
  readonly overLastWeek: number | undefined
}

/** The running hour is left out of the comparison: it would always look like a loss. */
export function liveSums(hours: Hours, lastWeek: Hours, figure: LiveFigure): LiveSums {
  const sum = (of: Hours) => of.reduce((total, hour) => total + hour[figure], 0)
  const over = Math.max(0, hours.length - 1)
  return {
    soFar: sum(hours),
    over: sum(hours.slice(0, over)),
    overLastWeek: lastWeek.length === 0 || over === 0 ? undefined : sum(lastWeek.slice(0, over)),
  }
}
