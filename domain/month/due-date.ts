import { nextBusinessDay, previousBusinessDay } from './business-day.ts'
import { type Day, dayParts } from './day.ts'
import type { HolidayCalendar } from './holiday-calendar.ts'
import { addMonths, lastDayOf, type YearMonth } from './year-month.ts'

/** Payment at the end of the month after the revenue month, or of the one after that. */
export const PAYMENT_TIMINGS = ['a_month_later', 'two_months_later'] as const
export type PaymentTiming = (typeof PAYMENT_TIMINGS)[number]

/** Where a due date on a bank holiday moves. `previous` is the default, because paying earlier is never late. */
export type BusinessDayShift = 'previous' | 'next'

export interface DueDate {
  readonly nominalOn: Day
  readonly dueOn: Day
}

/** The last day of the month one or two months after `month`, moved to a day on which banks are open. */
export function dueDateOf(
  month: YearMonth,
  timing: PaymentTiming,
  shift: BusinessDayShift,
  calendar: HolidayCalendar,
): DueDate {
  const nominalOn = lastDayOf(addMonths(month, timing === 'a_month_later' ? 1 : 2))
  const dueOn = shift === 'previous' ? previousBusinessDay(calendar, nominalOn) : nextBusinessDay(calendar, nominalOn)
  return { nominalOn, dueOn }
}

const EVERY_YEAR: HolidayCalendar = { firstYear: 0, lastYear: 9999, holidays: new Map() }

/** The last year whose holidays {@link dueDateOf} needs for revenue of the month, whatever the timing. */
export function lastYearOfDueDates(month: YearMonth, shift: BusinessDayShift): number {
  const days = PAYMENT_TIMINGS.map(timing => dueDateOf(month, timing, shift, EVERY_YEAR))
  return Math.max(...days.flatMap(({ nominalOn, dueOn }) => [dayParts(nominalOn).year, dayParts(dueOn).year]))
}
