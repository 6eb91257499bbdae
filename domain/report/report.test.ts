import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'
import { addDays, type Day, day, dayOfWeek, dayParts } from '../month/day.ts'
import { firstDayOf, lastDayOf } from '../month/year-month.ts'
import { endOfPeriod, GRANULARITIES, GRANULARITY_LABELS, startOfPeriod } from './granularity.ts'
import { clickThroughRate } from './metric.ts'
import { daysOf, isOver, periodOf, periodsOf, rangeFault, splitByMonths } from './period.ts'
import { shownYen } from './shown-yen.ts'

const FIRST = day('2020-12-01')
const someDay = fc.nat(3000).map(offset => addDays(FIRST, offset))
const someRange = fc.tuple(someDay, fc.nat(400)).map(([from, length]) => ({ from, to: addDays(from, length) }))
const someGranularity = fc.constantFrom(...GRANULARITIES)

/** The days of a range, one by one. */
const each = ({ from, to }: { from: Day; to: Day }) =>
  Array.from({ length: daysOf({ from, to }) }, (_, i) => addDays(from, i))

describe('periods', () => {
  test('the covered parts are the range, in order, without gap or overlap', () => {
    fc.assert(
      fc.property(someGranularity, someRange, (granularity, range) => {
        const periods = periodsOf(granularity, range)
        expect(periods.flatMap(period => each(period.covered))).toEqual(each(range))
        for (const period of periods) expect(periodOf(granularity, period.startsOn, range)).toEqual(period)
      }),
    )
  })

  test('every day of a period has its first and last day', () => {
    fc.assert(
      fc.property(someGranularity, someDay, (granularity, value) => {
        const [from, to] = [startOfPeriod(granularity, value), endOfPeriod(granularity, value)]
        expect(from <= value && value <= to).toBe(true)
        for (const other of each({ from, to })) expect(startOfPeriod(granularity, other)).toBe(from)
        expect(startOfPeriod(granularity, addDays(from, -1))).not.toBe(from)
        expect(startOfPeriod(granularity, addDays(to, 1))).not.toBe(from)
      }),
    )
  })

  test('a week runs from Sunday to Saturday, a month from the first to its last day', () => {
    fc.assert(
      fc.property(someDay, value => {
        expect(dayOfWeek(startOfPeriod('weekly', value))).toBe(0)
        expect(dayOfWeek(endOfPeriod('weekly', value))).toBe(6)
        expect(dayParts(startOfPeriod('monthly', value)).date).toBe(1)
        expect(dayParts(addDays(endOfPeriod('monthly', value), 1)).date).toBe(1)
      }),
    )
  })

  test('weeks around New Year', () => {
    // 2026-01-01 is a Thursday.
    expect(periodsOf('weekly', { from: day('2025-12-31'), to: day('2026-01-05') })).toEqual([
      { startsOn: '2025-12-28', endsOn: '2026-01-03', covered: { from: '2025-12-31', to: '2026-01-03' } },
      { startsOn: '2026-01-04', endsOn: '2026-01-10', covered: { from: '2026-01-04', to: '2026-01-05' } },
    ])
  })

  test('a period that does not touch the range, or starts on another day, is a fault', () => {
    const range = { from: day('2026-01-05'), to: day('2026-01-20') }
    expect(() => periodOf('weekly', day('2025-12-28'), range)).toThrow(RangeError)
    expect(() => periodOf('weekly', day('2026-01-05'), range)).toThrow(RangeError)
  })

  test('a period is over from the day after its last day', () => {
    expect(isOver(day('2026-01-31'), day('2026-01-31'))).toBe(false)
    expect(isOver(day('2026-01-31'), day('2026-02-01'))).toBe(true)
  })

  test('a range is its whole months and the days around them', () => {
    fc.assert(
      fc.property(someRange, range => {
        const { before, months, after } = splitByMonths(range)
        const whole = months ? [{ from: firstDayOf(months.first), to: lastDayOf(months.last) }] : []
        const parts = [...(before ? [before] : []), ...whole, ...(after ? [after] : [])]
        expect(parts.flatMap(each)).toEqual(each(range))
        for (const edge of [before, after]) {
          const inside =
            edge &&
            periodsOf('monthly', edge).some(({ startsOn, endsOn }) => edge.from <= startsOn && endsOn <= edge.to)
          expect(inside ?? false).toBe(false)
        }
      }),
    )
    expect(splitByMonths({ from: day('2024-02-01'), to: day('2024-02-29') })).toEqual({
      before: undefined,
      months: { first: 202402, last: 202402 },
      after: undefined,
    })
    expect(splitByMonths({ from: day('2024-02-01'), to: day('2024-02-28') })).toMatchObject({ months: undefined })
  })

  test('ranges that cannot be reported on', () => {
    expect(rangeFault({ from: day('2026-02-02'), to: day('2026-02-01') })).toBe('report/range-reversed')
    expect(rangeFault({ from: day('2020-11-30'), to: day('2020-12-01') })).toBe('report/before-earliest-day')
    expect(rangeFault({ from: FIRST, to: FIRST })).toBeUndefined()
    expect(rangeFault({ from: FIRST, to: day('2099-12-31') })).toBeUndefined()
    expect(rangeFault({ from: FIRST, to: day('2100-01-01') })).toBe('report/after-latest-day')
  })
})

test('the labels of the three granularities', () => {
  expect(GRANULARITIES.map(each => GRANULARITY_LABELS[each])).toEqual(['日別', '週別', '月別'])
})

test('money is rounded down to the yen, also below zero', () => {
  expect([0n, 999_999n, 1_000_000n, -1n, -1_000_000n, -1_000_001n].map(shownYen)).toEqual([0n, 0n, 1n, -1n, -1n, -2n])
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), amount => {
      const rest = amount - shownYen(amount) * MICRO_YEN_PER_YEN
      expect(rest >= 0n && rest < MICRO_YEN_PER_YEN).toBe(true)
    }),
  )
})

test('a rate without impressions is unknown, not zero', () => {
  expect(clickThroughRate(0n, 0n)).toBeNull()
  expect(clickThroughRate(0n, 5n)).toBe(0)
  expect(clickThroughRate(1n, 8n)).toBe(0.125)
})
