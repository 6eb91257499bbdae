/** A calendar day in Asia/Tokyo, written `YYYY-MM-DD`. Comparing two days as strings compares them in time. */
export type Day = string & { readonly __brand: 'Day' }

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/** @param month 1 … 12 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Reads `YYYY-MM-DD`; undefined for anything that is not a day of the calendar. */
export function parseDay(text: string): Day | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1 || month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return undefined
  return text as Day
}

/** Like {@link parseDay}, for values that the program itself wrote; throws on a wrong one. */
export function day(text: string): Day {
  const parsed = parseDay(text)
  if (parsed === undefined) throw new RangeError(`not a day: ${text}`)
  return parsed
}

/** `month` is 1 … 12, `date` the day of the month from 1. */
export function dayParts(value: Day): { year: number; month: number; date: number } {
  return { year: Number(value.slice(0, 4)), month: Number(value.slice(5, 7)), date: Number(value.slice(8, 10)) }
}

/** Throws a RangeError when the calendar has no such day. `month` is 1 … 12. */
export function dayOf(year: number, month: number, date: number): Day {
  return day(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`)
}

/** Days since 0001-01-01 (0) in the proleptic Gregorian calendar. */
export function toDayNumber(value: Day): number {
  const { year, month, date } = dayParts(value)
  const leapShift = month > 2 && isLeapYear(year) ? 1 : 0
  return daysBeforeYear(year) + DAYS_BEFORE_MONTH[month - 1]! + leapShift + date - 1
}

function daysBeforeYear(year: number): number {
  const y = year - 1
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
}

/** The opposite of {@link toDayNumber}. */
export function fromDayNumber(number: number): Day {
  let year = Math.floor(number / 365.2425) + 1
  while (daysBeforeYear(year) > number) year -= 1
  while (daysBeforeYear(year + 1) <= number) year += 1
  let rest = number - daysBeforeYear(year)
  let month = 1
  while (rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month)
    month += 1
  }
  return dayOf(year, month, rest + 1)
}

/** A negative number of days goes back. */
export function addDays(value: Day, days: number): Day {
  return fromDayNumber(toDayNumber(value) + days)
}

/** Number of days from `from` to `to`; 0 for the same day. */
export function daysBetween(from: Day, to: Day): number {
  return toDayNumber(to) - toDayNumber(from)
}

/** 0 = Sunday … 6 = Saturday. 0001-01-01 was a Monday. */
export function dayOfWeek(value: Day): number {
  return (toDayNumber(value) + 1) % 7
}

/** The Sunday that starts the week of this day: weeks start on Sunday. */
export function startOfWeek(value: Day): Day {
  return addDays(value, -dayOfWeek(value))
}
