import { addDays, type Day, dayOfWeek, startOfWeek } from '../month/day.ts'
import { firstDayOf, lastDayOf, monthOfDay } from '../month/year-month.ts'

/** How a report divides time. Weeks start on Sunday. */
export const GRANULARITIES = ['daily', 'weekly', 'monthly'] as const
export type Granularity = (typeof GRANULARITIES)[number]

export const GRANULARITY_LABELS: Readonly<Record<Granularity, string>> = {
  daily: '日別',
  weekly: '週別',
  monthly: '月別',
}

/**
 * First day of the period (day, week from Sunday, or month) that contains a day.
 * Tested by `domain/report/report.test.ts`.
 */
export function startOfPeriod(granularity: Granularity, value: Day): Day {
  if (granularity === 'daily') return value
  return granularity === 'weekly' ? startOfWeek(value) : firstDayOf(monthOfDay(value))
}

/** Last day of the period (day, week from Sunday, or month) that contains a day. */
export function endOfPeriod(granularity: Granularity, value: Day): Day {
  if (granularity === 'daily') return value
  return granularity === 'weekly' ? addDays(value, 6 - dayOfWeek(value)) : lastDayOf(monthOfDay(value))
}
