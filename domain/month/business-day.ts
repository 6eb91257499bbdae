import { addDays, type Day, dayOfWeek, dayParts } from './day.ts'
import { calendarCovers, type HolidayCalendar } from './holiday-calendar.ts'

/** Thrown when a day lies outside the years of the imported holiday file. */
export class HolidaysUnknownError extends RangeError {
  readonly day: Day
  constructor(value: Day) {
    super(`no holidays imported for the year of ${value}`)
    this.day = value
  }
}

/**
 * Whether banks are open: not on Saturdays, Sundays, national holidays, or from 31 December to 3 January (Banking Act,
 * enforcement order article 5). Throws {@link HolidaysUnknownError} for a day outside the imported years.
 * Tested by `domain/month/due-date.test.ts`.
 */
export function isBusinessDay(calendar: HolidayCalendar, value: Day): boolean {
  const weekday = dayOfWeek(value)
  if (weekday === 0 || weekday === 6 || isTurnOfYear(value)) return false
  if (!calendarCovers(calendar, value)) throw new HolidaysUnknownError(value)
  return !calendar.holidays.has(value)
}

/** The day itself when banks are open, otherwise the last open day before it. */
export function previousBusinessDay(calendar: HolidayCalendar, value: Day): Day {
  return nearestBusinessDay(calendar, value, -1)
}

/** The day itself when banks are open, otherwise the first open day after it. */
export function nextBusinessDay(calendar: HolidayCalendar, value: Day): Day {
  return nearestBusinessDay(calendar, value, 1)
}

function nearestBusinessDay(calendar: HolidayCalendar, value: Day, step: 1 | -1): Day {
  let candidate = value
  while (!isBusinessDay(calendar, candidate)) candidate = addDays(candidate, step)
  return candidate
}

function isTurnOfYear(value: Day): boolean {
  const { month, date } = dayParts(value)
  return (month === 12 && date === 31) || (month === 1 && date <= 3)
}
