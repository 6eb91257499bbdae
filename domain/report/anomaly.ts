import { compareBigints } from '../money/allocate.ts'
import { larger } from '../money/yen.ts'

/** The figures that are watched. Revenue is in micro-yen. */
export const WATCHED_FIGURES = ['impressions', 'clicks', 'revenue'] as const
export type WatchedFigure = (typeof WATCHED_FIGURES)[number]
export const CHANGE_DIRECTIONS = ['drop', 'rise'] as const
export type ChangeDirection = (typeof CHANGE_DIRECTIONS)[number]

/** When a day counts as an anomaly. */
export const ANOMALY_RULES = {
  /** A day is compared with the same weekday of this many weeks before … */
  weeks: 8,
  /** … of which at least this many must be known. */
  leastWeeks: 5,
  /** A weekday with a smaller median varies too much to conclude anything. Revenue: 1,000 yen. */
  leastUsual: { impressions: 1_000n, clicks: 100n, revenue: 1_000_000_000n },
  /** An anomaly begins at half or double the median … */
  begins: { dropPercent: 50n, risePercent: 200n },
  /** … and ends when the figure has come back past these limits. */
  ends: { dropPercent: 70n, risePercent: 150n },
  /**
   * It must also lie this many spreads from the median. The spread is the median distance × 3/2, which estimates one
   * standard deviation.
   */
  spreads: 4n,
  /** The spread is at least this part of the median, because days may be alike by chance. */
  leastSpreadPercent: 5n,
  /**
   * When this part of a medium's publishers has an anomaly on one day, its cause is the medium or the calendar, and
   * nobody is notified.
   */
  commonPercent: 30,
  /** Fewer publishers are too few for that conclusion. */
  leastInCommon: 10,
} as const

export interface DayJudgement {
  /** The median of the same weekday, rounded down; null while too few weeks are known. */
  readonly usual: bigint | null
  /** Undefined: as usual, or too little is known. */
  readonly change: ChangeDirection | undefined
}

/**
 * Compares a day with the same weekday of earlier weeks.
 * @param before the known values of those weeks
 * @param goingOn the direction of an anomaly that continues from an earlier day; it ends later than a new one would
 * begin
 */
export function judgeDay(
  figure: WatchedFigure,
  value: bigint,
  before: readonly bigint[],
  goingOn?: ChangeDirection | undefined,
): DayJudgement {
  if (before.length < ANOMALY_RULES.leastWeeks) return { usual: null, change: undefined }
  // All values are taken times four, so that the median and the median distance are whole numbers.
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
  const spread = larger(distances * 3n * 50n, median * ANOMALY_RULES.leastSpreadPercent)
  const isUnusual = distance(value * 4n, median) * 100n >= ANOMALY_RULES.spreads * spread
  return { usual, change: isUnusual ? direction : undefined }
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

/** For an even number of values the middle of the two central ones, which is whole when all values are even. */
function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted(compareBigints)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2n
}

/**
 * Whether so many anomalies begin on one day that no single publisher can be their cause.
 * @param watched publishers of which enough days are known
 */
export function isInCommon(begun: number, watched: number): boolean {
  return watched >= ANOMALY_RULES.leastInCommon && begun * 100 >= watched * ANOMALY_RULES.commonPercent
}
