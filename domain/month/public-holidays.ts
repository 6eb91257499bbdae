import { addDays, type Day, dayOfWeek, dayParts } from './day.ts'

/**
 * The name of Japan's public holiday on a day by today's law, as calendars mark it. Due days follow the imported file of
 * the Cabinet Office instead (`holiday-calendar.ts`): the equinoxes are announced, and laws change. Known from
 * December 2020 on.
 * Source: 国民の祝日に関する法律; the moved days of 2021.
 * Tested by `domain/month/public-holidays.test.ts`.
 */
export function publicHolidayName(value: Day): string | undefined {
  const named = lawfulName(value)
  if (named !== undefined) return named
  if (dayOfWeek(value) === 0) return undefined
  // A substitute holiday: when a holiday falls on a Sunday, the next day that is not a holiday itself.
  for (let before = addDays(value, -1); lawfulName(before) !== undefined; before = addDays(before, -1))
    if (dayOfWeek(before) === 0) return '休日'
  const isBetween = lawfulName(addDays(value, -1)) !== undefined && lawfulName(addDays(value, 1)) !== undefined
  return isBetween ? '休日' : undefined
}

const FIXED: Readonly<Record<string, string>> = {
  '1-1': '元日',
  '2-11': '建国記念の日',
  '2-23': '天皇誕生日',
  '4-29': '昭和の日',
  '5-3': '憲法記念日',
  '5-4': 'みどりの日',
  '5-5': 'こどもの日',
  '8-11': '山の日',
  '11-3': '文化の日',
  '11-23': '勤労感謝の日',
}
/** Month, which Monday of it, name. */
const MONDAYS = [
  [1, 2, '成人の日'],
  [7, 3, '海の日'],
  [9, 3, '敬老の日'],
  [10, 2, 'スポーツの日'],
] as const
const MOVED: Readonly<Record<string, string | null>> = {
  ...{ '2021-07-22': '海の日', '2021-07-23': 'スポーツの日', '2021-08-08': '山の日' },
  ...{ '2021-07-19': null, '2021-10-11': null, '2021-08-11': null },
}

function lawfulName(value: Day): string | undefined {
  const moved = MOVED[value]
  if (moved !== undefined) return moved ?? undefined
  const { year, month, date } = dayParts(value)
  const fixed = FIXED[`${month}-${date}`]
  if (fixed !== undefined) return fixed
  if (month === 3 && date === equinoxOf(year, 20.8431)) return '春分の日'
  if (month === 9 && date === equinoxOf(year, 23.2488)) return '秋分の日'
  if (dayOfWeek(value) !== 1) return undefined
  return MONDAYS.find(([of, nth]) => of === month && nth === Math.ceil(date / 7))?.[2]
}

/**
 * The day of the month of an equinox, by the formula that holds from 1980 to 2099.
 * @param first the constant of the formula: 20.8431 for spring, 23.2488 for autumn
 */
function equinoxOf(year: number, first: number): number {
  return Math.floor(first + 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4))
}
