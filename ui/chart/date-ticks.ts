import type { ChartPoint } from './chart-points.ts'

interface DateTick {
  /** Of the point that it stands below. */
  readonly index: number
  readonly text: string
}

/** More days than two months are read by their months. */
const MOST_DAYS = 62

/** As many dates as have room; where there are months of days, the first day of each. */
export function dateTicks(points: readonly Pick<ChartPoint, 'key' | 'tick'>[], room: number): DateTick[] {
  const months = points.length > MOST_DAYS ? points.flatMap(({ key }, index) => monthStart(key, index)) : []
  const all = months.length > 1 ? months : points.map(({ tick }, index) => ({ index, text: tick }))
  const every = Math.max(1, Math.ceil(all.length / Math.max(1, room)))
  return all.filter((_, place) => place % every === 0)
}

function monthStart(key: string, index: number): DateTick[] {
  const [, year, month] = /^(\d{4})-(\d{2})-01$/.exec(key) ?? []
  if (month === undefined) return []
  return [{ index, text: month === '01' ? `${year}年1月` : `${Number(month)}月` }]
}
