import { nextBusinessDay, previousBusinessDay } from './business-day.ts'
import type { Day } from './day.ts'
import type { HolidayCalendar } from './holiday-calendar.ts'
import { addMonths, lastDayOf, type YearMonth } from './year-month.ts'

export const PAYMENT_TIMINGS = ['a_month_later', 'two_months_later'] as const
/** Paid at the end of the month after the revenue month, or of the one after that (specification, section 4). */
export type PaymentTiming = (typeof PAYMENT_TIMINGS)[number]

/** Where a due date on a bank holiday moves to. `previous` is the default: moving back is never late. */
export type BusinessDayShift = 'previous' | 'next'

export interface DueDate {
  readonly nominalOn: Day
  readonly dueOn: Day
}

/** Last day of R+1 or R+2, moved to a day on which banks are open (payments rules, section 2.3, step 14). */
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
