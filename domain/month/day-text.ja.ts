import { type Day, dayOfWeek, dayParts } from './day.ts'
import { monthOf, parseYearMonth, type YearMonth, yearOf } from './year-month.ts'

/** Japanese texts of days and months, the same on screens, in emails and in files. */

/** 水 for 3; days of the week count from 0 (Sunday). */
export function weekdayName(dayOfTheWeek: number): string {
  return '日月火水木金土'[dayOfTheWeek]!
}

/** 水: the first letter of 水曜日. */
export function weekdayText(value: Day): string {
  return weekdayName(dayOfWeek(value))
}

/**
 * 2026年11月8日
 * Tested by `ui/text/format.test.ts`.
 */
export function dayText(value: Day): string {
  return `${dayParts(value).year}年${monthDayText(value)}`
}

/** 2026年11月8日（日） */
export function dayTextWithWeekday(value: Day): string {
  return `${dayText(value)}（${weekdayText(value)}）`
}

/** 11月8日 */
export function monthDayText(value: Day): string {
  const { month, date } = dayParts(value)
  return `${month}月${date}日`
}

/** 2026年11月 */
export function monthText(value: YearMonth): string {
  return `${yearOf(value)}年${monthOf(value)}月`
}

/**
 * 2026年11月 for `2026-11`, as the API writes a month.
 * @param otherwise the result for any other text
 */
export function isoMonthText(text: string | null | undefined, otherwise: string = text ?? ''): string {
  const month = parseYearMonth(text ?? '')
  return month === undefined ? otherwise : monthText(month)
}
