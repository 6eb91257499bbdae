import { addDays, type Day } from '../month/day.ts'
import { lastDayOf, type YearMonth } from '../month/year-month.ts'

export const RENEWAL_NOTICE_DAYS = { least: 1, most: 365, usual: 60 } as const

/** From which day on somebody is to decide whether the contract goes on: so many days before the last day of its last month. */
export function renewalNoticeDay(contractEndMonth: YearMonth, noticeDays: number): Day {
  return addDays(lastDayOf(contractEndMonth), -noticeDays)
}

/** Whether people are to be reminded today. After the end there is nothing left to decide in time. */
export function isRenewalDue(contractEndMonth: YearMonth, noticeDays: number, today: Day): boolean {
  return today >= renewalNoticeDay(contractEndMonth, noticeDays) && today <= lastDayOf(contractEndMonth)
}
