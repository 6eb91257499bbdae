import { compareBigints } from '../money/allocate.ts'

/** The figures that are watched; revenue in micro-yen. */
export const WATCHED_FIGURES = ['impressions', 'clicks', 'revenue'] as const
export type WatchedFigure = (typeof WATCHED_FIGURES)[number]
export const CHANGE_DIRECTIONS = ['drop', 'rise'] as const
export type ChangeDirection = (typeof CHANGE_DIRECTIONS)[number]

/** When a day counts as an anomaly. */
export const ANOMALY_RULES = {
  /** A day is compared with the same weekday of so many weeks before, */
  weeks: 8,
  /** of which so many are known. */
  leastWeeks: 5,
  /** Less than this on a usual day varies too much to conclude anything; 1,000 yen. */
  leastUsual: { impressions: 1_000n, clicks: 100n, revenue: 1_000_000_000n },
  /** It begins at half or at double of what is usual … */
  begins: { dropPercent: 50n, risePercent: 200n },
  /** … and ends when it has come back so far. In between it neither begins nor ends. */
  ends: { dropPercent: 70n, risePercent: 150n },
  /** And it is so many times as far from the median as days usually are (their median distance, 3/2 for normal days). */
  spreads: 4n,
  /** Days are at least so different, however alike they were by chance. */
  leastSpreadPercent: 5n,
  /** What happens to so many of a medium's publishers on one day is the medium's or the calendar's: nobody is notified. */
  commonPercent: 30,
  /** Of fewer publishers nothing can be said in common. */
  leastInCommon: 10,
} as const

export interface DayJudgement {
  /** The median of the same weekday, rounded down; null while too few of them are known. */
  readonly usual: bigint | null
  /** Undefined: as usual, or too little to say. */
  readonly change: ChangeDirection | undefined
}

/**
 * A day against the same weekday of the weeks before.
 * @param before values of those weeks that are known
 * @param goingOn what has begun on a day before and goes on; it ends later than it begins
 */
export function judgeDay(
  figure: WatchedFigure,
  value: bigint,
  before: readonly bigint[],
  goingOn?: ChangeDirection | undefined,
): DayJudgement {
  if (before.length < ANOMALY_RULES.leastWeeks) return { usual: null, change: undefined }
  // Times four, the median and the median of the distances from it are whole.
  const median = medianOf(before.map(one => one * 4n))
  const usual = median / 4n
  if (median < ANOMALY_RULES.leastUsual[figure] * 4n) return { usual, change: undefined }
  const distances = medianOf(before.map(one => distance(one * 4n, median)))
  const isFar = (direction: ChangeDirection) => {
    const { dropPercent, risePercent } = direction === goingOn ? ANOMALY_RULES.ends : ANOMALY_RULES.begins
    return direction === 'drop'
      ? value * 400n <= median * dropPercent - (goingOn === direction ? 1n : 0n)
      : value * 400n >= median * risePercent + (goingOn === direction ? 1n : 0n)
  }
  const direction = CHANGE_DIRECTIONS.find(isFar)
  if (!direction || direction === goingOn) return { usual, change: direction }
  const spread = bigger(distances * 3n * 50n, median * ANOMALY_RULES.leastSpreadPercent)
  const isUnusual = distance(value * 4n, median) * 100n >= ANOMALY_RULES.spreads * spread
  return { usual, change: isUnusual ? direction : undefined }
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

function bigger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Of an even number the middle between both in the middle, which is whole when all are even. */
function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted(compareBigints)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2n
}

/** Whether so many begin on one day that it is no publisher's own. @param watched those of which enough is known */
export function isInCommon(begun: number, watched: number): boolean {
  return watched >= ANOMALY_RULES.leastInCommon && begun * 100 >= watched * ANOMALY_RULES.commonPercent
}
