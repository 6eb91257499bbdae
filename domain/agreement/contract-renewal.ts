import { addDays, type Day } from '../month/day.ts'
import { lastDayOf, type YearMonth } from '../month/year-month.ts'

/** Days of notice that a person may choose, and the proposed number. */
export const RENEWAL_NOTICE_DAYS = { least: 1, most: 365, usual: 60 } as const

/** The first day of the notice: this many days before the last day of the contract's last month. */
export function renewalNoticeDay(contractEndMonth: YearMonth, noticeDays: number): Day {
  return addDays(lastDayOf(contractEndMonth), -noticeDays)
}

/** Whether to remind people today. There is no reminder once the contract has ended. */
export function isRenewalDue(contractEndMonth: YearMonth, noticeDays: number, today: Day): boolean {
  return today >= renewalNoticeDay(contractEndMonth, noticeDays) && today <= lastDayOf(contractEndMonth)
}
