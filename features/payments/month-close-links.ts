import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'

export const DIVIDENDS_PATH = '/adjustments/dividend'

/** A month is named by its operation's id, or as YYYY-MM while it has none. */
export function dividendCreatePath(operation: string | YearMonth): `/${string}` {
  return `${DIVIDENDS_PATH}/create/${typeof operation === 'string' ? operation : formatYearMonth(operation)}`
}
