import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, day, dayOfWeek } from '../month/day.ts'
import { firstDayOf, lastDayOf, type YearMonth, yearMonth } from '../month/year-month.ts'
import { completeDays } from './complete-days.ts'
import { FORECAST_HISTORY_DAYS, FORECAST_RULES, forecastMonth } from './month-forecast.ts'
import { daysOf } from './period.ts'

const MONTH = yearMonth(2026, 11)
const daysFrom = (from: Day, to: Day) => Array.from({ length: daysOf({ from, to }) }, (_, at) => addDays(from, at))
const daysOfMonth = (month: YearMonth) => daysFrom(firstDayOf(month), lastDayOf(month))
const sum = (values: Iterable<bigint>) => [...values].reduce((all, one) => all + one, 0n)
/** Values from the first day of the history to `until`. */
const series = (until: string, amountOf: (date: Day, at: number) => bigint) =>
  new Map(
    daysFrom(addDays(day(until), 1 - FORECAST_HISTORY_DAYS), day(until)).map((date, at) => [date, amountOf(date, at)]),
  )

const values = fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), {
  minLength: FORECAST_HISTORY_DAYS,
  maxLength: FORECAST_HISTORY_DAYS,
})

describe('the forecast of a month', () => {
  test('is the month itself when every day of it is known, whatever is known besides', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('2026-10-30', '2026-10-31'), fc.bigInt()), values, (before, all) => {
        const known = new Map(Object.entries(before) as [Day, bigint][])
        for (const [at, date] of daysOfMonth(MONTH).entries()) known.set(date, all[at]!)
        const total = sum(all.slice(0, 30))
        expect(forecastMonth(MONTH, known)).toEqual({ soFar: total, expected: total, low: total, high: total })
      }),
    )
  })

  test('is never below what is known, and lies inside of its range', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 29 }), (all, days) => {
        const forecast = forecastMonth(
          MONTH,
          series(addDays(firstDayOf(MONTH), days - 1), (_, at) => all[at]!),
        )!
        expect(forecast.soFar).toBe(sum(all.slice(all.length - days)))
        expect(forecast.soFar <= forecast.low).toBe(true)
        expect(forecast.low <= forecast.expected && forecast.expected <= forecast.high).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  test('what repeats every week is known exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 7, maxLength: 7 }), week => {
        const amountOf = (date: Day) => week[dayOfWeek(date)]!
        const total = sum(daysOfMonth(MONTH).map(amountOf))
        const { expected, low, high } = forecastMonth(MONTH, series('2026-11-11', amountOf))!
        expect([expected, low, high]).toEqual([total, total, total])
      }),
      { numRuns: 30 },
    )
  })

  test('equals a computation with fractions, rounded down once', () => {
    fc.assert(
      fc.property(values, all => {
        const known = series('2026-11-19', (_, at) => all[at]!)
        const of = (date: Day) => known.get(date)!
        // The weekday mean over eight weeks as a sum of eighths; both sides of the level contain the same eighths.
        const eighths = (date: Day) =>
          sum(
            daysFrom(day('2026-09-25'), day('2026-11-19'))
              .filter(one => dayOfWeek(one) === dayOfWeek(date))
              .map(of),
          )
        const recent = daysFrom(day('2026-11-06'), day('2026-11-19'))
        const usual = sum(recent.map(eighths))
        fc.pre(usual > 0n)
        const rest = (sum(daysFrom(day('2026-11-20'), day('2026-11-30')).map(eighths)) * sum(recent.map(of))) / usual
        expect(forecastMonth(MONTH, known)!.expected).toBe(
          sum(daysFrom(day('2026-11-01'), day('2026-11-19')).map(of)) + rest,
        )
      }),
      { numRuns: 30 },
    )
  })

  test('a missing day is estimated like one that is still to come', () => {
    const known = series('2026-11-19', date => (dayOfWeek(date) === 0 ? 50n : 100n))
    known.delete(day('2026-11-10'))
    expect(forecastMonth(MONTH, known)).toMatchObject({ soFar: 1_650n, expected: 2_750n })
  })

  test('corrections below zero are in what is known, and are not expected to go on', () => {
    const { expected, low, soFar } = forecastMonth(
      MONTH,
      series('2026-11-19', () => -5n),
    )!
    expect([soFar, expected, low]).toEqual([-95n, -95n, -95n])
  })

  test('too few days are no forecast: four of a weekday, and the trials that the range needs', () => {
    const needed = FORECAST_RULES.leastOfWeekday * 7 + 11 + FORECAST_RULES.leastTrials - 1
    const of = (length: number) => new Map([...series('2026-11-19', () => 7n)].slice(-length))
    expect(forecastMonth(MONTH, of(needed))).toMatchObject({ expected: 210n })
    expect(forecastMonth(MONTH, of(needed - 1))).toBeUndefined()
    expect(forecastMonth(MONTH, new Map())).toBeUndefined()
  })
})

test('a day is complete when every medium that still delivers has delivered it', () => {
  const days = (...dates: number[]) => new Set(dates.map(date => day(`2026-11-${String(date).padStart(2, '0')}`)))
  const dates = (complete: ReadonlySet<Day>) => [...complete].map(one => Number(one.slice(8))).sort((a, b) => a - b)
  expect(dates(completeDays([days(1, 2, 3, 4), days(1, 2, 4)]))).toEqual([1, 2, 4])
  // The second medium begins on the 3rd, the third ended long ago, the fourth never began.
  expect(dates(completeDays([days(1, 2, 3, 12), days(3, 12), days(1, 2), days()]))).toEqual([1, 2, 3, 12])
  expect(dates(completeDays([days(1, 2, 3, 4, 5, 6, 7, 8), days(1)]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(dates(completeDays([days(1, 2, 3, 4, 5, 6, 7), days(1)]))).toEqual([1])
  expect(completeDays([]).size).toBe(0)
})
