import { LATEST_MONTH } from '@pc/domain/condition/default-range.ts'
import { parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'

/** The earliest month that the tables accept; tax rates may begin long before the first payment. */
const FIRST_MONTH = 190_001 as YearMonth

/** A month of the input as `YYYY-MM`; anything else is refused at its field. */
export function readMonth(text: string, path: readonly string[]): YearMonth {
  const month = parseYearMonth(text)
  if (month === undefined || month > LATEST_MONTH) refuse('payment/month-invalid', path)
  if (month < FIRST_MONTH) refuse('payment-setting/month-past', path, { earliest: writeMonth(FIRST_MONTH) })
  return month
}
