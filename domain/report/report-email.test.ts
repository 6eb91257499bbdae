import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, day, dayOfWeek, dayParts, daysBetween } from '../month/day.ts'
import type { HolidayCalendar } from '../month/holiday-calendar.ts'
import {
  EMAIL_CADENCES,
  EMAIL_MONTH_DAYS,
  type EmailSchedule,
  lastDueEmail,
  reportEmailProblems,
} from './report-email.ts'

const HOLIDAYS: HolidayCalendar = {
  firstYear: 2026,
  lastYear: 2026,
  holidays: new Map([[day('2026-05-04'), 'みどりの日']]),
}
const daily: EmailSchedule = { cadence: 'daily', hour: 8, monthDay: 'first' }
const due = (schedule: Partial<EmailSchedule>, on: string, hour: number) =>
  lastDueEmail({ ...daily, ...schedule }, day(on), hour, HOLIDAYS)

describe('the last mail that was due', () => {
  test.each([
    [{}, '2026-11-20', 8, '2026-11-20', '2026-11-19', '2026-11-19'],
    [{}, '2026-11-20', 7, '2026-11-19', '2026-11-18', '2026-11-18'],
    // 2026-11-16 is a Monday; its email covers the week from Sunday to Saturday.
    [{ cadence: 'weekly' }, '2026-11-16', 8, '2026-11-16', '2026-11-08', '2026-11-14'],
    [{ cadence: 'weekly' }, '2026-11-16', 7, '2026-11-09', '2026-11-01', '2026-11-07'],
    [{ cadence: 'weekly' }, '2026-11-22', 23, '2026-11-16', '2026-11-08', '2026-11-14'],
    [{ cadence: 'monthly' }, '2026-11-01', 8, '2026-11-01', '2026-10-01', '2026-10-31'],
    [{ cadence: 'monthly' }, '2026-11-01', 0, '2026-10-01', '2026-09-01', '2026-09-30'],
    // 1 November 2026 is a Sunday, 1 May a Friday; the turn of the year has no business days.
    [{ cadence: 'monthly', monthDay: 'first_business_day' }, '2026-11-01', 9, '2026-10-01', '2026-09-01', '2026-09-30'],
    [{ cadence: 'monthly', monthDay: 'first_business_day' }, '2026-11-02', 9, '2026-11-02', '2026-10-01', '2026-10-31'],
    [{ cadence: 'monthly', monthDay: 'first_business_day' }, '2026-01-05', 9, '2026-01-05', '2025-12-01', '2025-12-31'],
    // No holidays of 2027 are known.
    [{ cadence: 'monthly', monthDay: 'first_business_day' }, '2027-08-02', 9, '2027-08-02', '2027-07-01', '2027-07-31'],
  ] as const)('%j on %s at %i', (schedule, on, hour, sendsOn, from, to) => {
    expect(due(schedule, on, hour)).toEqual({ sendsOn, period: { from, to } })
  })

  test('goes forward with the clock, is over when it is sent, and leaves no day out', () => {
    const hours = fc.integer({ min: 0, max: 30_000 })
    const schedules = fc.record({
      cadence: fc.constantFrom(...EMAIL_CADENCES),
      hour: fc.integer({ min: 0, max: 23 }),
      monthDay: fc.constantFrom(...EMAIL_MONTH_DAYS),
    })
    fc.assert(
      fc.property(schedules, hours, (schedule, after) => {
        const at = (hour: number): [Day, number] => [addDays(day('2025-01-01'), Math.floor(hour / 24)), hour % 24]
        const [on, hour] = at(after)
        const now = lastDueEmail(schedule, on, hour, HOLIDAYS)
        expect(now.sendsOn <= on && now.period.to < now.sendsOn).toBe(true)
        if (now.sendsOn === on) expect(hour).toBeGreaterThanOrEqual(schedule.hour)
        const next = lastDueEmail(schedule, ...at(after + 1), HOLIDAYS)
        if (next.sendsOn === now.sendsOn) expect(next).toEqual(now)
        else expect(daysBetween(now.period.to, next.period.from)).toBe(1)
        if (schedule.cadence === 'weekly')
          expect([dayOfWeek(now.sendsOn), dayOfWeek(now.period.from), dayOfWeek(now.period.to)]).toEqual([1, 0, 6])
        if (schedule.cadence === 'monthly') expect(dayParts(now.period.from).date).toBe(1)
      }),
    )
  })
})

test('a name and an hour are needed', () => {
  const codes = (name: string, hour: number) => reportEmailProblems({ ...daily, name, hour }).map(one => one.code)
  expect(codes('毎朝', 0)).toEqual([])
  expect(codes('', 24)).toEqual(['report-mail/name-missing', 'report-mail/hour-invalid'])
  expect(codes('あ'.repeat(61), 8.5)).toEqual(['report-mail/name-too-long', 'report-mail/hour-invalid'])
  expect(codes('毎朝\nBcc: x', 0), 'it is the subject of an email').toEqual(['name/hidden-characters'])
})
