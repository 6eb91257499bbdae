import type { Day } from './day.ts'
import { tokyoDayOf } from './tokyo-day.ts'
import { lastDayOf, monthOfDay, type YearMonth } from './year-month.ts'

/**
 * The three months of a payment: the one its revenue arose in, the one it was finalised in, the one it was (or is to be)
 * paid in. All in Asia/Tokyo.
 */
export interface ClosingMonths {
  readonly revenueGeneratedAtMonth: YearMonth
  readonly finalizedAtMonth: YearMonth | null
  readonly paidAtMonth: YearMonth | null
}

/** @param paidOn the bank's day for a paid row, the due date for a scheduled one, null for a row without a payment */
export function closingMonthsOf(
  revenueMonth: YearMonth,
  finalizedAtMs: number | null,
  paidOn: Day | null,
): ClosingMonths {
  return {
    revenueGeneratedAtMonth: revenueMonth,
    finalizedAtMonth: finalizedAtMs === null ? null : monthOfDay(tokyoDayOf(finalizedAtMs)),
    paidAtMonth: paidOn === null ? null : monthOfDay(paidOn),
  }
}

/** A month can be finalised once it is over in Asia/Tokyo. */
export function isMonthOver(month: YearMonth, nowMs: number): boolean {
  return tokyoDayOf(nowMs) > lastDayOf(month)
}
