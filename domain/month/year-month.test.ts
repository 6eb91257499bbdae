import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from './day.ts'
import {
  addMonths,
  compareMonths,
  firstDayOf,
  formatYearMonth,
  lastDayOf,
  monthOfDay,
  monthRange,
  monthsBetween,
  parseYearMonth,
  type YearMonth,
  yearMonth,
} from './year-month.ts'

const months = fc
  .tuple(fc.integer({ min: 101, max: 9899 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => yearMonth(year, month))

describe('year-month', () => {
  test('text and value are the same thing', () => {
    fc.assert(
      fc.property(months, month => {
        expect(parseYearMonth(formatYearMonth(month))).toBe(month)
      }),
    )
    for (const text of ['2026-13', '2026-00', '2026-1', '202601', '0000-01', '2026-01-01', ' 2026-01']) {
      expect(parseYearMonth(text)).toBeUndefined()
    }
  })

  test('adding months undoes itself and agrees with the distance', () => {
    fc.assert(
      fc.property(months, fc.integer({ min: -1200, max: 1200 }), (month, count) => {
        const moved = addMonths(month, count)
        expect(monthsBetween(month, moved)).toBe(count)
        expect(addMonths(moved, -count)).toBe(month)
        if (count > 0) expect(moved > month).toBe(true)
      }),
    )
  })

  test('first and last day', () => {
    expect(firstDayOf(202602 as YearMonth)).toBe('2026-02-01')
    expect(lastDayOf(202602 as YearMonth)).toBe('2026-02-28')
    expect(lastDayOf(202402 as YearMonth)).toBe('2024-02-29')
    expect(monthOfDay(day('2026-12-31'))).toBe(202612)
  })

  test('ranges', () => {
    expect(monthRange(202611 as YearMonth, 202702 as YearMonth)).toEqual([202611, 202612, 202701, 202702])
    expect(monthRange(202611 as YearMonth, 202610 as YearMonth)).toEqual([])
  })

  test('the calendar ends', () => {
    expect(() => addMonths(yearMonth(9999, 12), 1)).toThrow(RangeError)
    expect(() => addMonths(yearMonth(1, 1), -1)).toThrow(RangeError)
    expect([yearMonth(1, 1), yearMonth(9999, 12)].map(formatYearMonth)).toEqual(['0001-01', '9999-12'])
  })

  test('what is no month of a calendar is a fault', () => {
    const wrong: [number, number][] = [
      [2026, 0],
      [2026, 13],
      [2026, 1.5],
      [2026.5, 1],
      [0, 1],
      [10_000, 1],
    ]
    for (const [year, month] of wrong) expect(() => yearMonth(year, month), `${year}-${month}`).toThrow(RangeError)
  })

  test('earlier months come first', () => {
    const sorted = [202702, 202612, 202701].map(each => each as YearMonth).toSorted(compareMonths)
    expect(sorted).toEqual([202612, 202701, 202702])
  })
})
