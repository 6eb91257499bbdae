import { addDays, type Day } from '@pc/domain/month/day.ts'
import {
  ANOMALY_RULES,
  type ChangeDirection,
  isInCommon,
  judgeDay,
  WATCHED_FIGURES,
  type WatchedFigure,
} from '@pc/domain/report/anomaly.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { sumOfColumns } from '../../core/server/figure-sums.ts'

const COLUMNS = {
  impressions: ['sum_article_impression', 'sum_video_impression', 'sum_live_impression'],
  clicks: ['sum_article_click', 'sum_video_click', 'sum_live_click'],
  revenue: ['sum_publisher_revenue_micro_yen'],
} as const satisfies Record<WatchedFigure, readonly string[]>

/** An anomaly that began on an earlier day and has not ended. */
export interface GoingOn {
  readonly id: bigint
  readonly publisherId: bigint
  readonly figure: WatchedFigure
  readonly direction: ChangeDirection
}
export interface FoundAnomaly {
  readonly publisherId: bigint
  readonly figure: WatchedFigure
  readonly direction: ChangeDirection
  readonly value: bigint
  readonly usual: bigint
}
export interface DayFindings {
  readonly begun: readonly FoundAnomaly[]
  /** Anomalies that continue, by the id of their {@link GoingOn}. */
  readonly goneOn: ReadonlyMap<bigint, FoundAnomaly>
  readonly ended: readonly bigint[]
  /** So many publishers changed on the same day that the cause is the medium's: `begun` is empty then. */
  readonly isInCommon: boolean
}

/** The days that a day is compared with, newest first. */
export function comparedDays(day: Day): Day[] {
  return Array.from({ length: ANOMALY_RULES.weeks }, (_, week) => addDays(day, -7 * (week + 1)))
}

/**
 * The anomalies that begin, continue and end on a day of a medium.
 * @param rows those of `publisherDays` for the day and its compared days
 * @param known the compared days that the medium has delivered; a publisher without a row on such a day counts as 0
 * @param watched ids of the publishers to judge
 */
export function findAnomalies(
  day: Day,
  rows: readonly Row[],
  known: readonly Day[],
  watched: ReadonlySet<bigint>,
  goingOn: readonly GoingOn[],
): DayFindings {
  const openOf = new Map(goingOn.map(open => [`${open.publisherId} ${open.figure}`, open]))
  const begun: FoundAnomaly[] = []
  const goneOn = new Map<bigint, FoundAnomaly>()
  const judged = new Set<bigint>()
  for (const [publisherId, days] of Map.groupBy(rows, row => row.publisher as bigint)) {
    if (!watched.has(publisherId)) continue
    const rowOf = new Map(days.map(row => [row.date as Day, row]))
    // Days before a publisher's first row do not count as 0: it may not have existed.
    const first = days[0]!.date as Day
    const before = known.filter(one => one >= first)
    for (const figure of WATCHED_FIGURES) {
      const valueOn = (date: Day) => {
        const row = rowOf.get(date)
        return row ? sumOfColumns(row as Readonly<Record<string, bigint>>, ...COLUMNS[figure]) : 0n
      }
      const open = openOf.get(`${publisherId} ${figure}`)
      const value = valueOn(day)
      const { usual, change } = judgeDay(figure, value, before.map(valueOn), open?.direction)
      if (usual === null) continue
      judged.add(publisherId)
      if (!change) continue
      const found = { publisherId, figure, direction: change, value, usual }
      if (open?.direction === change) goneOn.set(open.id, found)
      else begun.push(found)
    }
  }
  const isCommon = isInCommon(new Set(begun.map(one => one.publisherId)).size, judged.size)
  return {
    begun: isCommon ? [] : begun,
    goneOn,
    ended: goingOn.flatMap(({ id }) => (goneOn.has(id) ? [] : [id])),
    isInCommon: isCommon,
  }
}
