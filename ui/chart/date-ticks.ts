import type { ChartPoint } from './chart-points.ts'

interface DateTick {
  /** Index of the point below which it is shown. */
  readonly index: number
  readonly text: string
}

/** Longer daily ranges are labelled by month. */
const MAX_DAYS = 62

/** As many dates as fit; for more than {@link MAX_DAYS} days, the first day of each month. */
export function dateTicks(points: readonly Pick<ChartPoint, 'key' | 'tick'>[], room: number): DateTick[] {
  const months = points.length > MAX_DAYS ? points.flatMap(({ key }, index) => monthStart(key, index)) : []
  const all = months.length > 1 ? months : points.map(({ tick }, index) => ({ index, text: tick }))
  const every = Math.max(1, Math.ceil(all.length / Math.max(1, room)))
  const shown = all.filter((_, place) => place % every === 0)
  return months.length > 1 ? shown.map((tick, place) => withYear(points, tick, shown[place - 1])) : shown
}

/** Adds the year to the first tick of a year, so that months of different years can be told apart. */
function withYear(points: readonly Pick<ChartPoint, 'key'>[], tick: DateTick, before: DateTick | undefined): DateTick {
  const yearOf = ({ index }: DateTick) => points[index]!.key.slice(0, 4)
  if (before === undefined ? tick.text !== '1月' : yearOf(before) === yearOf(tick)) return tick
  return { ...tick, text: `${yearOf(tick)}年${tick.text}` }
}

function monthStart(key: string, index: number): DateTick[] {
  const [, month] = /^\d{4}-(\d{2})-01$/.exec(key) ?? []
  return month === undefined ? [] : [{ index, text: `${Number(month)}月` }]
}
