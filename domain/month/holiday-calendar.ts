import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { type Day, dayOf, dayParts, parseDay } from './day.ts'

/**
 * National holidays as the Cabinet Office publishes them, and the years that its file covers. Days outside those years
 * are unknown; they do not count as working days.
 */
export interface HolidayCalendar {
  readonly firstYear: number
  readonly lastYear: number
  /** Day → name of the holiday. */
  readonly holidays: ReadonlyMap<Day, string>
}

export type HolidayCalendarRefusal = Refusal<
  | 'holiday-calendar/header-unknown'
  | 'holiday-calendar/line-unreadable'
  | 'holiday-calendar/day-twice'
  | 'holiday-calendar/empty'
  | 'holiday-calendar/year-incomplete'
  | 'holiday-calendar/older'
>

/** The first holiday of a year and the last one with a fixed date; both exist since 1948. */
const EVERY_YEAR = [
  { month: 1, day: 1, name: '元日' },
  { month: 11, day: 23, name: '勤労感謝の日' },
] as const
const HEADER = '国民の祝日・休日月日,国民の祝日・休日名称'

/**
 * Reads the decoded text of the Cabinet Office's `syukujitsu.csv` (published in Shift_JIS with CRLF; the caller
 * decodes). Rows are `yyyy/m/d,name`. Every year must contain both holidays of {@link EVERY_YEAR}, so that a cut file
 * is refused instead of turning holidays into working days.
 * Tested by `domain/month/due-date.test.ts`.
 */
export function parseHolidayCalendar(text: string): Result<HolidayCalendar, HolidayCalendarRefusal> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines[0]?.trim() !== HEADER) return refused(refusal('holiday-calendar/header-unknown', [], { line: 1 }))
  const holidays = new Map<Day, string>()
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue
    const match = /^(\d{4})\/(\d{1,2})\/(\d{1,2}),([^,]+)$/.exec(line.trim())
    const date = match && parseDay(`${match[1]}-${match[2]!.padStart(2, '0')}-${match[3]!.padStart(2, '0')}`)
    if (!match || !date) return refused(refusal('holiday-calendar/line-unreadable', [], { line: index + 1 }))
    if (holidays.has(date)) return refused(refusal('holiday-calendar/day-twice', [], { line: index + 1, day: date }))
    holidays.set(date, match[4]!)
  }
  if (holidays.size === 0) return refused(refusal('holiday-calendar/empty'))
  const years = [...holidays.keys()].map(date => dayParts(date).year)
  const calendar = { firstYear: Math.min(...years), lastYear: Math.max(...years), holidays }
  for (let year = calendar.firstYear; year <= calendar.lastYear; year += 1) {
    for (const { month, day, name } of EVERY_YEAR) {
      if (!holidays.has(dayOf(year, month, day)))
        return refused(refusal('holiday-calendar/year-incomplete', [], { year, name }))
    }
  }
  return ok(calendar)
}

/** Whether the calendar contains the year of this day. The holidays of other years are unknown. */
export function calendarCovers(calendar: HolidayCalendar, value: Day): boolean {
  const { year } = dayParts(value)
  return year >= calendar.firstYear && year <= calendar.lastYear
}
