import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HolidaysUnknownError, isBusinessDay } from './business-day.ts'
import { addDays, day, daysBetween } from './day.ts'
import { dueDateOf, PAYMENT_TIMINGS } from './due-date.ts'
import { parseHolidayCalendar } from './holiday-calendar.ts'
import { SAMPLE_HOLIDAYS_CSV, sampleHolidayCalendar } from './sample-holidays.ts'
import { addMonths, parseYearMonth, type YearMonth } from './year-month.ts'

const calendar = sampleHolidayCalendar()

const VECTORS = `
2026-04 a_month_later 2026-05-31 2026-05-29 2026-06-01
2026-04 two_months_later 2026-06-30 2026-06-30 2026-06-30
2026-06 a_month_later 2026-07-31 2026-07-31 2026-07-31
2026-06 two_months_later 2026-08-31 2026-08-31 2026-08-31
2026-09 a_month_later 2026-10-31 2026-10-30 2026-11-02
2026-09 two_months_later 2026-11-30 2026-11-30 2026-11-30
2026-10 a_month_later 2026-11-30 2026-11-30 2026-11-30
2026-10 two_months_later 2026-12-31 2026-12-30 2027-01-04
2026-11 a_month_later 2026-12-31 2026-12-30 2027-01-04
2026-11 two_months_later 2027-01-31 2027-01-29 2027-02-01
2026-12 a_month_later 2027-01-31 2027-01-29 2027-02-01
2026-12 two_months_later 2027-02-28 2027-02-26 2027-03-01`
  .trim()
  .split('\n')
  .map(line => line.split(' '))

describe('due date', () => {
  test.each(VECTORS)('%s %s', (month, timing, nominal, previous, next) => {
    const revenueMonth = parseYearMonth(month!)!
    const paymentTiming = PAYMENT_TIMINGS.find(each => each === timing)!
    expect(paymentTiming).toBe(timing)
    expect(dueDateOf(revenueMonth, paymentTiming, 'previous', calendar)).toEqual({
      nominalOn: nominal,
      dueOn: previous,
    })
    expect(dueDateOf(revenueMonth, paymentTiming, 'next', calendar)).toEqual({ nominalOn: nominal, dueOn: next })
  })

  test('I23: a business day, never after the nominal day when moving back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.constantFrom(...PAYMENT_TIMINGS), (offset, timing) => {
        const { nominalOn, dueOn } = dueDateOf(addMonths(202601 as YearMonth, offset), timing, 'previous', calendar)
        expect(isBusinessDay(calendar, dueOn)).toBe(true)
        expect(dueOn <= nominalOn).toBe(true)
        for (let between = addDays(dueOn, 1); between <= nominalOn; between = addDays(between, 1)) {
          expect(isBusinessDay(calendar, between)).toBe(false)
        }
        expect(daysBetween(dueOn, nominalOn)).toBeLessThan(7)
      }),
    )
  })

  test('a year without imported holidays is unknown, not without holidays', () => {
    expect(() => isBusinessDay(calendar, day('2028-02-29'))).toThrow(HolidaysUnknownError)
    expect(isBusinessDay(calendar, day('2028-02-26'))).toBe(false)
  })

  test.each(['2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03', '2026-05-06', '2026-09-22', '2026-07-18'])(
    'banks are closed on %s',
    text => expect(isBusinessDay(calendar, day(text))).toBe(false),
  )
  test.each(['2026-12-30', '2027-01-04', '2026-05-07'])('banks are open on %s', text =>
    expect(isBusinessDay(calendar, day(text))).toBe(true),
  )
})

test('the turn of the year is closed on weekdays too', () => {
  const result = parseHolidayCalendar(
    '国民の祝日・休日月日,国民の祝日・休日名称\n2024/1/1,元日\n2024/11/23,勤労感謝の日\n2025/1/1,元日\n2025/11/23,勤労感謝の日',
  )
  if (!result.ok) throw new Error(result.refusals[0]!.code)
  const isOpen = (text: string) => isBusinessDay(result.value, day(text))
  // Tuesday 31 December 2024 to Friday 3 January 2025; Monday the 6th is the next day on which banks are open.
  expect(['2024-12-30', '2024-12-31', '2025-01-02', '2025-01-03', '2025-01-06'].map(isOpen)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
})

describe('holiday file', () => {
  const codeOf = (text: string) => {
    const result = parseHolidayCalendar(text)
    return result.ok ? 'ok' : result.refusals[0]!.code
  }
  test('CRLF and a byte order mark are read', () => {
    expect(codeOf(`\uFEFF${SAMPLE_HOLIDAYS_CSV.replaceAll('\n', '\r\n')}`)).toBe('ok')
  })
  test('a refusal says in which line', () => {
    const refusalOf = (text: string) => parseHolidayCalendar(`国民の祝日・休日月日,国民の祝日・休日名称\n${text}`)
    expect(refusalOf('2026/1/1,元日\n2026/2/30,休日')).toMatchObject({ refusals: [{ data: { line: 3 } }] })
    expect(refusalOf('2026/1/1,元日\n2026/1/1,元日')).toMatchObject({
      refusals: [{ data: { line: 3, day: '2026-01-01' } }],
    })
  })
  test('broken files are refused', () => {
    const header = '国民の祝日・休日月日,国民の祝日・休日名称'
    expect(codeOf('date,name\n2026/1/1,元日')).toBe('holiday-calendar/header-unknown')
    expect(codeOf(`${header}\n`)).toBe('holiday-calendar/empty')
    expect(codeOf(`${header}\n2026/1/1,元日\n2026/2/30,休日`)).toBe('holiday-calendar/line-unreadable')
    expect(codeOf(`${header}\n2026/1/1,元日\n2026/1/1,元日`)).toBe('holiday-calendar/day-twice')
    expect(codeOf(`${header}\n2026/1/1,元日\n2027/2/11,建国記念の日`)).toBe('holiday-calendar/year-incomplete')
    const cut = SAMPLE_HOLIDAYS_CSV.slice(0, SAMPLE_HOLIDAYS_CSV.indexOf('2027/4/29'))
    expect(codeOf(cut), 'a file that was cut in its last year').toBe('holiday-calendar/year-incomplete')
    expect(codeOf(`${header}\n2026/1/1,元日`)).toBe('holiday-calendar/year-incomplete')
  })
})
