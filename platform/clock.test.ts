import { defaultRange } from '@pc/domain/condition/default-range.ts'
import { day, daysBetween } from '@pc/domain/month/day.ts'
import { tokyoDayOf } from '@pc/domain/month/tokyo-day.ts'
import { addMonths, firstDayOf, lastDayOf, monthRange, type YearMonth } from '@pc/domain/month/year-month.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { dayAt, fixedClock, thisMonth, today } from './clock.ts'

/** Security, figure 11: the day and the month are those of Tokyo, whatever the zone of the machine is. */
const ZONES = ['Asia/Tokyo', 'UTC', 'America/Los_Angeles'] as const
const INSTANTS: readonly (readonly [instant: string, tokyo: string])[] = [
  ['2020-11-30T14:59:59.999Z', '2020-11-30'],
  ['2020-11-30T15:00:00.000Z', '2020-12-01'],
  ['2024-02-28T15:00:00.000Z', '2024-02-29'],
  ['2024-02-29T14:59:59.999Z', '2024-02-29'],
  ['2024-02-29T15:00:00.000Z', '2024-03-01'],
  ['2026-03-08T10:00:00.000Z', '2026-03-08'],
  ['2026-11-01T09:00:00.000Z', '2026-11-01'],
  ['2026-11-20T23:59:59.999Z', '2026-11-21'],
  ['2026-12-31T14:59:59.999Z', '2026-12-31'],
  ['2026-12-31T15:00:00.000Z', '2027-01-01'],
  ['2030-12-31T15:00:00.000Z', '2031-01-01'],
]
const zoneBefore = process.env.TZ
afterAll(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

/** The zone data of the machine, which none of our own code uses. */
const TOKYO = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo', dateStyle: 'short' })

describe.each(ZONES)('on a machine in %s', zone => {
  test.each(INSTANTS)('%s is %s', (instant, expected) => {
    process.env.TZ = zone
    const clock = fixedClock(instant)
    const month = Number(expected.slice(0, 7).replace('-', ''))
    expect(today(clock)).toBe(expected)
    expect(tokyoDayOf(clock.now())).toBe(expected)
    expect(thisMonth(clock)).toBe(month)
    expect(TOKYO.format(clock.now())).toBe(expected)
  })

  test('every month from 2020-12 to 2030-12 ends and begins at midnight of Tokyo', () => {
    process.env.TZ = zone
    const months = monthRange(202012 as YearMonth, 203012 as YearMonth)
    expect(months).toHaveLength(121)
    for (const month of months) {
      const next = addMonths(month, 1)
      const midnight = Date.parse(`${firstDayOf(next)}T00:00:00+09:00`)
      for (const offsetMs of [-86_400_000, -1, 0, 1, 86_399_999]) {
        const at = midnight + offsetMs
        const isAfter = offsetMs >= 0
        const expected = day(TOKYO.format(at))
        expect(dayAt(at)).toBe(expected)
        expect(tokyoDayOf(at)).toBe(expected)
        expect(expected).toBe(isAfter ? firstDayOf(next) : lastDayOf(month))
        const { from, to } = defaultRange(expected)
        expect(daysBetween(from, expected)).toBe(expected < '2020-12-09' ? daysBetween(day('2020-12-01'), expected) : 8)
        expect(to <= expected && from <= to).toBe(true)
      }
      expect(thisMonth(fixedClock(new Date(midnight - 1).toISOString()))).toBe(month)
      expect(thisMonth(fixedClock(new Date(midnight).toISOString()))).toBe(next)
    }
  })
})
