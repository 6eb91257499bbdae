import { LATEST_MONTH } from '@pc/domain/condition/default-range.ts'
import { EARLIEST_MONTH, formatYearMonth, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { refuse } from './refusal-error.ts'

/** A month argument `YYYY-MM`. @throws a refusal outside December 2020 to December 2099 */
export function readMonth(text: string, path: readonly string[]): YearMonth {
  const month = parseYearMonth(text)
  if (month === undefined || month < EARLIEST_MONTH || month > LATEST_MONTH) refuse('payment/month-invalid', path)
  return month
}

/** A stored month as the API writes it, `YYYY-MM`. */
export function writeMonth(month: number): string {
  return formatYearMonth(month as YearMonth)
}

export interface MonthRange {
  readonly from: YearMonth | undefined
  readonly to: YearMonth | undefined
}

/** The arguments `monthFrom` and `monthTo`, both included. @throws a refusal when they are reversed */
export function readMonthRange(
  {
    monthFrom,
    monthTo,
  }: { readonly monthFrom?: string | null | undefined; readonly monthTo?: string | null | undefined },
  path: readonly string[],
): MonthRange {
  const from = monthFrom ? readMonth(monthFrom, [...path, 'monthFrom']) : undefined
  const to = monthTo ? readMonth(monthTo, [...path, 'monthTo']) : undefined
  if (from !== undefined && to !== undefined && from > to) refuse('payment/months-reversed', [...path, 'monthTo'])
  return { from, to }
}
