import { type HolidayCalendar, parseHolidayCalendar } from './holiday-calendar.ts'

/**
 * For tests and the demonstration only; the product imports the Cabinet Office's file. The holidays of 2026 and 2027 in
 * that format, written by hand from the rules of the Act on National Holidays.
 */
export const SAMPLE_HOLIDAYS_CSV = `国民の祝日・休日月日,国民の祝日・休日名称
2026/1/1,元日
2026/1/12,成人の日
2026/2/11,建国記念の日
2026/2/23,天皇誕生日
2026/3/20,春分の日
2026/4/29,昭和の日
2026/5/3,憲法記念日
2026/5/4,みどりの日
2026/5/5,こどもの日
2026/5/6,休日
2026/7/20,海の日
2026/8/11,山の日
2026/9/21,敬老の日
2026/9/22,休日
2026/9/23,秋分の日
2026/10/12,スポーツの日
2026/11/3,文化の日
2026/11/23,勤労感謝の日
2027/1/1,元日
2027/1/11,成人の日
2027/2/11,建国記念の日
2027/2/23,天皇誕生日
2027/3/21,春分の日
2027/3/22,休日
2027/4/29,昭和の日
2027/5/3,憲法記念日
2027/5/4,みどりの日
2027/5/5,こどもの日
2027/7/19,海の日
2027/8/11,山の日
2027/9/20,敬老の日
2027/9/23,秋分の日
2027/10/11,スポーツの日
2027/11/3,文化の日
2027/11/23,勤労感謝の日
`

/** {@link SAMPLE_HOLIDAYS_CSV} as a calendar. */
export function sampleHolidayCalendar(): HolidayCalendar {
  const result = parseHolidayCalendar(SAMPLE_HOLIDAYS_CSV)
  if (!result.ok) throw new Error(result.refusals[0]!.code)
  return result.value
}
