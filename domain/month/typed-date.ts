import { addDays, type Day, dayOf } from './day.ts'
import { addMonths, type YearMonth, yearMonth } from './year-month.ts'

const DAYS_FROM_TODAY: ReadonlyMap<string, number> = new Map(Object.entries({ 昨日: -1, 今日: 0, 明日: 1 }))
const MONTHS_FROM_NOW: ReadonlyMap<string, number> = new Map(Object.entries({ 先月: -1, 今月: 0, 来月: 1 }))

/**
 * A day as people type it: `2026-11-30`, `2026/11/30`, `2026.11.30`, `20261130`, `2026年11月30日`, in any width,
 * or 昨日, 今日, 明日. Undefined while it is none.
 */
export function typedDay(text: string, today: Day): Day | undefined {
  const distance = DAYS_FROM_TODAY.get(plain(text))
  if (distance !== undefined) return addDays(today, distance)
  const match = /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{2})(\d{2}))$/.exec(plain(text))
  if (!match) return undefined
  const [year, month, date] = [match[1], match[2] ?? match[4], match[3] ?? match[5]].map(Number)
  return orUndefined(() => dayOf(year!, month!, date!))
}

/** A month likewise: `2026-11`, `2026/11`, `2026.11`, `202611`, `2026年11月`, or 先月, 今月, 来月. Undefined while it is none. */
export function typedMonth(text: string, now: YearMonth): YearMonth | undefined {
  const distance = MONTHS_FROM_NOW.get(plain(text))
  if (distance !== undefined) return addMonths(now, distance)
  const match = /^(\d{4})(?:[-/.年](\d{1,2})月?|(\d{2}))$/.exec(plain(text))
  if (!match) return undefined
  return orUndefined(() => yearMonth(Number(match[1]), Number(match[2] ?? match[3])))
}

function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s/g, '')
}

/** A text may say a day that does not exist, such as 2026/2/30. */
function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** A time of day as people type it: `9:30`, `0930`, `9時30分`, `9時`, in any width; empty: midnight. As hh:mm. */
export function typedTime(text: string): string | undefined {
  const plainText = plain(text)
  if (plainText === '') return '00:00'
  const match = /^(?:(\d{1,2})(?::|時)(?:(\d{1,2})分?)?|(\d{2})(\d{2}))$/.exec(plainText)
  if (!match || plainText.endsWith(':')) return undefined
  const [hour, minute] = [match[1] ?? match[3], match[2] ?? match[4] ?? '0'].map(Number) as [number, number]
  if (hour > 23 || minute > 59) return undefined
  return [hour, minute].map(part => String(part).padStart(2, '0')).join(':')
}
