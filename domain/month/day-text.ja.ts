import { type Day, dayOfWeek, dayParts } from './day.ts'

/** Texts of days, on screens, in mails and files alike. */

/** 水: the first letter of 水曜日. */
export function weekdayText(value: Day): string {
  return '日月火水木金土'[dayOfWeek(value)]!
}

/** 2026年11月8日 */
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
