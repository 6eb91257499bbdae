import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { month } from '@pc/domain/condition/params.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, EARLIEST_MONTH, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'

export const dividendCondition = defineCondition({ month: month() })
export type DividendCondition = ConditionOf<typeof dividendCondition>

/** The month that is adjusted: the previous one unless another is named, never before 2020-12. */
export function dividendMonth(condition: DividendCondition, today: Day): YearMonth {
  return condition.month ?? (Math.max(addMonths(monthOfDay(today), -1), EARLIEST_MONTH) as YearMonth)
}
