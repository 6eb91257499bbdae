import type { DayRange } from '../condition/default-range.ts'
import { nextBusinessDay } from '../month/business-day.ts'
import { addDays, type Day, dayOfWeek, dayParts } from '../month/day.ts'
import { calendarCovers, type HolidayCalendar } from '../month/holiday-calendar.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay, type YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { NAME_REFUSALS_JA } from '../text/name-refusals.ja.ts'
import { hasHiddenCharacter } from '../text/name-text.ts'
import type { REPORT_EMAIL_REFUSALS_JA } from './report-email-refusals.ja.ts'

/** How often a report email is sent, which decides when one is due and which days it covers. */
export const EMAIL_CADENCES = ['daily', 'weekly', 'monthly'] as const
export type EmailCadence = (typeof EMAIL_CADENCES)[number]
export const EMAIL_MONTH_DAYS = ['first', 'first_business_day'] as const
export type EmailMonthDay = (typeof EMAIL_MONTH_DAYS)[number]
/** The list below the key figures. */
export const EMAIL_RANKINGS = ['articles', 'publishers', 'none'] as const
export type EmailRanking = (typeof EMAIL_RANKINGS)[number]

export const EMAIL_CADENCE_LABELS: Readonly<Record<EmailCadence, string>> = {
  daily: '毎日（前日の数値）',
  weekly: '毎週月曜日（前の週の日曜日から土曜日）',
  monthly: '毎月（前の月）',
}
export const EMAIL_MONTH_DAY_LABELS: Readonly<Record<EmailMonthDay, string>> = {
  first: '1日',
  first_business_day: '最初の営業日',
}
export const EMAIL_RANKING_LABELS: Readonly<Record<EmailRanking, string>> = {
  articles: '記事の上位10件',
  publishers: 'パブリッシャーの上位10件',
  none: '表示しない',
}

/** Report emails of a person, characters of a name, test emails per hour, and rows of the list. */
export const REPORT_EMAIL_BOUNDS = { mailsOfOne: 20, nameLength: 60, testsPerHour: 5, rows: 10 } as const
/** Hours that an email waits for the figures of its last day. After that it is sent and says that they are missing. */
export const MAX_WAIT_HOURS = 6

export interface EmailSchedule {
  readonly cadence: EmailCadence
  /** The hour in Asia/Tokyo, 0 to 23. */
  readonly hour: number
  readonly monthDay: EmailMonthDay
}

export interface DueEmail {
  readonly sendsOn: Day
  /** The days that the email covers; all are over when it is sent. */
  readonly period: DayRange
}

/** The last email that was due at this hour of this day. */
export function lastDueEmail(schedule: EmailSchedule, day: Day, hour: number, calendar: HolidayCalendar): DueEmail {
  const lastDay = hour >= schedule.hour ? day : addDays(day, -1)
  switch (schedule.cadence) {
    case 'daily':
      return { sendsOn: lastDay, period: { from: addDays(lastDay, -1), to: addDays(lastDay, -1) } }
    case 'weekly': {
      const monday = addDays(lastDay, -((dayOfWeek(lastDay) + 6) % 7))
      return { sendsOn: monday, period: { from: addDays(monday, -8), to: addDays(monday, -2) } }
    }
    case 'monthly': {
      const month = monthOfDay(lastDay)
      const own = sendingDayOf(month, schedule.monthDay, calendar)
      return own <= lastDay
        ? monthlyEmail(month, own)
        : monthlyEmail(addMonths(month, -1), sendingDayOf(addMonths(month, -1), schedule.monthDay, calendar))
    }
  }
}

function monthlyEmail(month: YearMonth, sendsOn: Day): DueEmail {
  const before = addMonths(month, -1)
  return { sendsOn, period: { from: firstDayOf(before), to: lastDayOf(before) } }
}

/**
 * The day of the month on which the email is sent. In a year with unknown holidays only weekends and the turn of the
 * year count.
 */
function sendingDayOf(month: YearMonth, monthDay: EmailMonthDay, calendar: HolidayCalendar): Day {
  const first = firstDayOf(month)
  if (monthDay === 'first') return first
  const { year } = dayParts(first)
  const known = calendarCovers(calendar, first)
    ? calendar
    : { firstYear: year, lastYear: year, holidays: new Map<Day, string>() }
  return nextBusinessDay(known, first)
}

type ReportEmailRefusal = keyof typeof REPORT_EMAIL_REFUSALS_JA | keyof typeof NAME_REFUSALS_JA
interface ReportEmailContent extends EmailSchedule {
  readonly name: string
}

/** What is wrong with a report email that is being saved; empty when nothing is. The name must be trimmed. */
export function reportEmailProblems({ name, hour }: ReportEmailContent): readonly Refusal<ReportEmailRefusal>[] {
  const problems: Refusal<ReportEmailRefusal>[] = []
  const { nameLength } = REPORT_EMAIL_BOUNDS
  const length = [...name].length
  if (length === 0) problems.push(refusal('report-mail/name-missing', ['input', 'name']))
  if (length > nameLength) problems.push(refusal('report-mail/name-too-long', ['input', 'name'], { max: nameLength }))
  if (hasHiddenCharacter(name)) problems.push(refusal('name/hidden-characters', ['input', 'name']))
  if (!Number.isInteger(hour) || hour < 0 || hour > 23)
    problems.push(refusal('report-mail/hour-invalid', ['input', 'hour']))
  return problems
}
