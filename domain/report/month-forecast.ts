import { floorDivide } from '../money/floor-division.ts'
import { larger, smaller } from '../money/yen.ts'
import { type Day, toDayNumber } from '../month/day.ts'
import { firstDayOf, lastDayOf, type YearMonth } from '../month/year-month.ts'

/**
 * What a month's total of one additive figure will probably be, in the unit of the values (counts or micro-yen).
 * Never the basis of a payment.
 */
export interface MonthForecast {
  /** The exact sum of the known days of the month. */
  readonly soFar: bigint
  /** `soFar` and the estimate of the other days, which is rounded down once. */
  readonly expected: bigint
  /** Four of five of the trials in the past lay between these; `low <= expected <= high`. */
  readonly low: bigint
  readonly high: bigint
}

export const FORECAST_RULES = {
  /** The pattern: the mean of each weekday over so many weeks, */
  patternWeeks: 8,
  /** each of them known at least so many times. */
  leastOfWeekday: 4,
  /** The level: the last days against the pattern's own estimate of them. */
  levelDays: 14,
  /** How often the same estimate is tried on days that are over, one day further back each time. */
  trials: 120,
  leastTrials: 28,
  /** The part of the trials that lies outside of the range, on either side. */
  outsidePercent: 10,
} as const

const DAYS_PER_WEEK = 7
/** Divisible by every number of weeks, so that the means of weekdays are added without rounding. */
const COMMON = 840n
const MILLION = 1_000_000n

/** The days before a month that a forecast can make use of. */
export const FORECAST_HISTORY_DAYS = FORECAST_RULES.patternWeeks * DAYS_PER_WEEK + 31 + FORECAST_RULES.trials

/**
 * Complete days as they are; for every other day of the month the mean of its weekday, at the level of the last two
 * weeks. The range comes from trying the same on the past. A month of which every day is known is its own forecast.
 * @param known values of complete days, of the month and of the days before it; a day that is not there is not known
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

/** The sum of some days, as it is estimated at the end of a day from that day and those before it. */
function estimate(values: Values, last: number, days: readonly number[]): bigint | undefined {
  const means = weekdayMeans(values, last)
  const recent = numbersBetween(last - FORECAST_RULES.levelDays + 1, last).filter(day => values.has(day))
  if (!means || recent.length === 0) return undefined
  const patternOf = (each: readonly number[]) => each.reduce((sum, day) => sum + means[weekdayOf(day)]!, 0n)
  const usual = patternOf(recent)
  // What a pattern of corrections alone would take away is not expected to go on.
  const pattern = larger(patternOf(days), 0n)
  // Without a level there is nothing to set right: the pattern itself.
  return usual > 0n ? floorDivide(pattern * larger(sumOf(values, recent), 0n), usual) : floorDivide(pattern, COMMON)
}

/** Of each weekday, times {@link COMMON}; undefined when a weekday is known too few times. */
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

/** What became of the same estimate in the past, in millionths of it: the borders of the middle 80 %. */
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

/** Of a day's number; 0001-01-01 (0) was a Monday. */
function weekdayOf(dayNumber: number): number {
  return (dayNumber + 1) % DAYS_PER_WEEK
}
