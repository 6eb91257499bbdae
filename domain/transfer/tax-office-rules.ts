import type { PayeeKind } from '../bank/registration-number.ts'
import { nextBusinessDay } from '../month/business-day.ts'
import { type Day, dayOf } from '../month/day.ts'
import { calendarCovers, type HolidayCalendar } from '../month/holiday-calendar.ts'
import { addMonths, monthOf, type YearMonth, yearOf } from '../month/year-month.ts'
import type { Residence } from './withholding.ts'

/**
 * The day on which tax withheld in a month is payable: the 10th of the next month (Income Tax Act, articles 204 and
 * 212), or the next business day (Act on General Rules for National Taxes, article 10).
 */
export function withholdingPayableOn(
  month: YearMonth,
  calendar: HolidayCalendar,
): {
  readonly day: Day
  /** False: the holidays of the year are unknown, so the day may be later. */
  readonly isKnown: boolean
} {
  const next = addMonths(month, 1)
  const tenth = dayOf(yearOf(next), monthOf(next), 10)
  const isKnown = calendarCovers(calendar, tenth)
  return { day: isKnown ? nextBusinessDay(calendar, tenth) : tenth, isKnown }
}

/**
 * The sum of a year up to which no payment record is needed (Income Tax Act, article 225; enforcement ordinance,
 * article 84).
 */
const PAYMENT_RECORD_ABOVE_YEN = 50_000n

/**
 * Whether a payment record (支払調書) must be filed for the year: only for individuals who live in Japan. For non-residents
 * an adviser decides.
 */
export function needsPaymentRecord(
  { payeeKind, payeeResidence }: { readonly payeeKind: PayeeKind; readonly payeeResidence: Residence },
  totalYen: bigint,
): boolean {
  return payeeKind === 'individual' && payeeResidence === 'resident' && totalYen > PAYMENT_RECORD_ABOVE_YEN
}
