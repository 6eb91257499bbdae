import { formatYearMonth, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'

export function monthText(month: number): string {
  return formatYearMonth(month as YearMonth)
}

/** A month of the input as `YYYY-MM`; anything else is refused at its field. */
export function readMonth(text: string, path: readonly string[]): YearMonth {
  const month = parseYearMonth(text)
  if (month === undefined) refuse('payment/month-invalid', path)
  return month
}
