import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  type Day,
  day,
  dayOfWeek,
  daysBetween,
  fromDayNumber,
  parseDay,
  startOfWeek,
  toDayNumber,
} from './day.ts'
import { endOfDay, startOfDay, tokyoDayOf } from './tokyo-day.ts'

const LAST = toDayNumber(day('9999-12-31'))
const dayNumbers = fc.integer({ min: 0, max: LAST })

describe('day', () => {
  test('numbers and days are the same thing, in order', () => {
    fc.assert(
      fc.property(dayNumbers, number => {
        const value = fromDayNumber(number)
        expect(parseDay(value)).toBe(value)
        expect(toDayNumber(value)).toBe(number)
        if (number < LAST) expect(addDays(value, 1) > value).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  test('agrees with the calendar of the platform on every day of 400 years', () => {
    const epoch = toDayNumber(day('1970-01-01'))
    for (let number = toDayNumber(day('1850-01-01')); number <= toDayNumber(day('2250-12-31')); number += 1) {
      const instant = new globalThis.Date((number - epoch) * 86_400_000)
      expect(fromDayNumber(number)).toBe(instant.toISOString().slice(0, 10))
      expect(dayOfWeek(fromDayNumber(number))).toBe(instant.getUTCDay())
    }
  })

  test('the ends of the calendar', () => {
    expect(fromDayNumber(0)).toBe('0001-01-01')
    expect(fromDayNumber(LAST)).toBe('9999-12-31')
    expect(() => fromDayNumber(-1)).toThrow(RangeError)
    expect(() => fromDayNumber(LAST + 1)).toThrow(RangeError)
    expect(() => fromDayNumber(1.5)).toThrow(RangeError)
    expect(() => fromDayNumber(Number.NaN)).toThrow(RangeError)
  })

  test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-4-1', '0000-01-01', '２０２６-01-01', ''])(
    '%s is not a day',
    text => expect(parseDay(text)).toBeUndefined(),
  )

  test.each(['2024-02-29', '2000-02-29', '2026-12-31'])('%s is a day', text => expect(parseDay(text)).toBe(text))

  test('weeks start on Sunday', () => {
    expect(startOfWeek(day('2026-10-17'))).toBe('2026-10-11')
    expect(startOfWeek(day('2026-10-18'))).toBe('2026-10-18')
    fc.assert(
      fc.property(fc.integer({ min: 7, max: LAST }), number => {
        const start: Day = startOfWeek(fromDayNumber(number))
        expect(dayOfWeek(start)).toBe(0)
        expect(daysBetween(start, fromDayNumber(number))).toBeLessThan(7)
      }),
    )
  })

  test('an instant belongs to the day of Tokyo', () => {
    expect(tokyoDayOf(globalThis.Date.parse('2026-06-30T14:59:59.999Z'))).toBe('2026-06-30')
    expect(tokyoDayOf(globalThis.Date.parse('2026-06-30T15:00:00Z'))).toBe('2026-07-01')
    expect(tokyoDayOf(-1)).toBe('1970-01-01')
    expect(tokyoDayOf(-9 * 3_600_000 - 1)).toBe('1969-12-31')
    for (const instant of [Number.NaN, Infinity, 0.5]) expect(() => tokyoDayOf(instant)).toThrow('not an instant')
  })

  test('a day of Tokyo begins at its midnight and ends at the next, the last one that can be written too', () => {
    const at = (instant: string) => tokyoDayOf(globalThis.Date.parse(instant))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST - 1 }), number => {
        const own = fromDayNumber(number)
        expect(at(startOfDay(own))).toBe(own)
        expect(endOfDay(own)).toBe(startOfDay(addDays(own, 1)))
      }),
    )
    expect(at(endOfDay(day('9999-12-31')))).toBe('9999-12-31')
  })
})
