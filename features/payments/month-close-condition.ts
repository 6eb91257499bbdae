import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { month } from '@pc/domain/condition/params.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, EARLIEST_MONTH, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'

export const monthCloseCondition = defineCondition({ month: month() })
export type MonthCloseCondition = ConditionOf<typeof monthCloseCondition>

/** The month that is adjusted: the previous one unless another is named, never before 2020-12. */
export function shownMonth(condition: MonthCloseCondition, today: Day): YearMonth {
  return condition.month ?? (Math.max(addMonths(monthOfDay(today), -1), EARLIEST_MONTH) as YearMonth)
}
