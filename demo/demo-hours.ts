import type { Day } from '@pc/domain/month/day.ts'
import type { DemoChannel } from './demo-contents.ts'
import { demoDay } from './demo-statistics.ts'

/** Events of each hour out of about 1,000 a day: few at night, most in the evening. */
const HOUR_SHAPE = [22, 12, 7, 5, 6, 12, 28, 52, 62, 48, 42, 44, 64, 52, 40, 40, 44, 50, 58, 62, 70, 76, 62, 42]
const SHAPE_SUM = HOUR_SHAPE.reduce((sum, part) => sum + part, 0)
/** The first count column in a line of the daily delivery. */
const FIRST_COUNT_COLUMN = 4
const COUNTS = [
  'articleImpression',
  'articleClick',
  'articleWatch',
  'videoImpression',
  'videoClick',
  'videoWatch',
  'liveImpression',
  'liveClick',
  'liveWatch',
] as const

export type DemoHour = Readonly<Record<(typeof COUNTS)[number], bigint>> & {
  readonly startsAt: Date
  readonly publisherId: bigint
  readonly mediumId: bigint
}

/** The figures of a day by hour. The hours sum to the figures of the day's delivery. */
export function demoHours(channels: readonly DemoChannel[], date: Day): DemoHour[] {
  const midnight = Date.parse(`${date}T00:00:00+09:00`)
  return demoDay(channels, date).summaries.flatMap(line => {
    const cells = line.split(',')
    const totals = COUNTS.map((_, at) => Number(cells[FIRST_COUNT_COLUMN + at]))
    let before = 0
    return HOUR_SHAPE.map((part, hour) => {
      const after = before + part
      const until = (total: number, shape: number) => Math.floor((total * shape) / SHAPE_SUM)
      const counts = totals.map(total => BigInt(until(total, after) - until(total, before)))
      before = after
      return {
        startsAt: new Date(midnight + hour * 3_600_000),
        mediumId: BigInt(cells[1]!),
        publisherId: BigInt(cells[2]!),
        ...(Object.fromEntries(COUNTS.map((name, at) => [name, counts[at]!])) as Pick<
          DemoHour,
          (typeof COUNTS)[number]
        >),
      }
    })
  })
}
