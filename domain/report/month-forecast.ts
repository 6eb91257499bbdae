import { floorDivide } from '../money/floor-division.ts'
import { larger, smaller } from '../money/yen.ts'
import { type Day, toDayNumber } from '../month/day.ts'
import { firstDayOf, lastDayOf, type YearMonth } from '../month/year-month.ts'

/**
 * Forecast of a month's total of one additive figure, in the unit of the values (counts or micro-yen). Payments never
 * use it.
 */
export interface MonthForecast {
  /** The exact sum of the known days of the month. */
  readonly soFar: bigint
  /** `soFar` plus the estimate of the other days, which is rounded down once. */
  readonly expected: bigint
  /** In four of five trials on past days the actual sum lay between these; `low <= expected <= high`. */
  readonly low: bigint
  readonly high: bigint
}

export const FORECAST_RULES = {
  /** Weeks over which the mean of each weekday, the pattern, is taken … */
  patternWeeks: 8,
  /** … and how many values of each weekday must be known. */
  leastOfWeekday: 4,
  /** Days at the end over which the actual sum is compared with the pattern's (the level). */
  levelDays: 14,
  /**
   * Past days on which the same estimate is tried, each one day further back, and how many of these trials must
   * succeed.
   */
  trials: 120,
  leastTrials: 28,
  /** Percentage of trials that lies outside the range, on either side. */
  outsidePercent: 10,
} as const

const DAYS_PER_WEEK = 7
/** The least common multiple of 1 to 8 weeks, so that weekday means stay whole numbers until the end. */
const COMMON = 840n
/** Ratios of the trials are in millionths. */
const MILLION = 1_000_000n

/** Days before a month that a forecast can use. */
export const FORECAST_HISTORY_DAYS = FORECAST_RULES.patternWeeks * DAYS_PER_WEEK + 31 + FORECAST_RULES.trials

/**
 * Complete days count as they are. Every other day of the month is the mean of its weekday, at the level of the last
 * two weeks. The range comes from trying the same estimate on past days. A month with every day known is its own
 * forecast.
 * @param known values of complete days, of the month and of the days before it
 * @returns undefined when too few days are known
 */
export function forecastMonth(month: YearMonth, known: ReadonlyMap<Day, bigint>): MonthForecast | undefined {
  const values = new Map([...known].map(([day, value]) => [toDayNumber(day), value]))
  const days = numbersBetween(toDayNumber(firstDayOf(month)), toDayNumber(lastDayOf(month)))
  const missing = days.filter(day => !values.has(day))
  const soFar = sumOf(values, days)
  if (missing.length === 0) return { soFar, expected: soFar, low: soFar, high: soFar }
  const last = [...values.keys()].filter(day => day <= days.at(-1)!).reduce((a, b) => Math.max(a, b), 0)
  const rest = estimate(values, last, missing)
  const bounds = rest === undefined ? undefined : triedBounds(values, last, missing.length)
  if (rest === undefined || !bounds) return undefined
  const [a, b] = [floorDivide(rest * bounds.low, MILLION), floorDivide(rest * bounds.high, MILLION)]
  return {
    soFar,
    expected: soFar + rest,
    low: soFar + smaller(rest, smaller(a, b)),
    high: soFar + larger(rest, larger(a, b)),
  }
}

type Values = ReadonlyMap<number, bigint>

/** The estimated sum of `days`, made at the end of day `last` from that day and those before it. */
function estimate(values: Values, last: number, days: readonly number[]): bigint | undefined {
  const means = weekdayMeans(values, last)
  const recent = numbersBetween(last - FORECAST_RULES.levelDays + 1, last).filter(day => values.has(day))
  if (!means || recent.length === 0) return undefined
  const patternOf = (each: readonly number[]) => each.reduce((sum, day) => sum + means[weekdayOf(day)]!, 0n)
  const usual = patternOf(recent)
  // A negative pattern consists of corrections alone, which are not expected to continue.
  const pattern = larger(patternOf(days), 0n)
  // Without a level the pattern is taken as it is.
  return usual > 0n ? floorDivide(pattern * larger(sumOf(values, recent), 0n), usual) : floorDivide(pattern, COMMON)
}

/** The mean of each weekday times {@link COMMON}; undefined when a weekday has too few known values. */
function weekdayMeans(values: Values, last: number): readonly bigint[] | undefined {
  const means: bigint[] = []
  for (let back = 0; back < DAYS_PER_WEEK; back += 1) {
    let [sum, count] = [0n, 0n]
    for (let week = 0; week < FORECAST_RULES.patternWeeks; week += 1) {
      const value = values.get(last - back - week * DAYS_PER_WEEK)
      if (value === undefined) continue
      sum += value
      count += 1n
    }
    if (count < FORECAST_RULES.leastOfWeekday) return undefined
    means[weekdayOf(last - back)] = (sum * COMMON) / count
  }
  return means
}

/** Actual sums of past trials in millionths of their estimates: the bounds of the middle 80 %. */
function triedBounds(values: Values, last: number, length: number): { low: bigint; high: bigint } | undefined {
  const ratios: bigint[] = []
  for (let trial = 0; trial < FORECAST_RULES.trials; trial += 1) {
    const end = last - length - trial
    const days = numbersBetween(end + 1, end + length)
    if (!values.has(end) || !days.every(day => values.has(day))) continue
    const tried = estimate(values, end, days)
    if (tried === undefined) continue
    const came = larger(sumOf(values, days), 0n)
    if (tried > 0n) ratios.push(floorDivide(came * MILLION, tried))
    else if (came === 0n) ratios.push(MILLION)
  }
  if (ratios.length < FORECAST_RULES.leastTrials) return undefined
  ratios.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const outside = Math.floor(((ratios.length - 1) * FORECAST_RULES.outsidePercent) / 100)
  return { low: ratios[outside]!, high: ratios[ratios.length - 1 - outside]! }
}

function sumOf(values: Values, days: readonly number[]): bigint {
  return days.reduce((sum, day) => sum + (values.get(day) ?? 0n), 0n)
}

function numbersBetween(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** 0 = Sunday. Day number 0 is 0001-01-01, a Monday. */
function weekdayOf(dayNumber: number): number {
  return (dayNumber + 1) % DAYS_PER_WEEK
}
