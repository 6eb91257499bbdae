import { dayOfWeek, parseDay } from '@pc/domain/month/day.ts'
import { dayTextWithWeekday } from '@pc/domain/month/day-text.ja.ts'
import { publicHolidayName } from '@pc/domain/month/public-holidays.ts'

/** Accessible name of a calendar day: 2026年11月23日（月） 勤労感謝の日. */
export function nameOfDay(text: string): string {
  const value = parseDay(text)
  if (value === undefined) return text
  const holiday = publicHolidayName(value)
  return holiday === undefined ? dayTextWithWeekday(value) : `${dayTextWithWeekday(value)} ${holiday}`
}

/** Attributes that colour Saturdays, Sundays and public holidays (as Sundays) and show a holiday's name on hover. */
export function propsOfDay(text: string): { 'data-weekday'?: number; title?: string } {
  const value = parseDay(text)
  if (value === undefined) return {}
  const holiday = publicHolidayName(value)
  return holiday === undefined ? { 'data-weekday': dayOfWeek(value) } : { 'data-weekday': 0, title: holiday }
}
