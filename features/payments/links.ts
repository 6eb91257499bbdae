import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'

export const MONTH_CLOSE_PATH = '/adjustments/dividend'

/** The form for a new manual operation. A month without one has no id yet and is named as YYYY-MM. */
export function manualOperationCreatePath(operation: string | YearMonth): `/${string}` {
  return `${MONTH_CLOSE_PATH}/create/${typeof operation === 'string' ? operation : formatYearMonth(operation)}`
}
/** Finalised payments on their way to the payees; reached from the payments, the close board and the palette. */
export const TRANSFERS_PATH = '/adjustments/transfers'
export function transferBatchPath(id: string): `/${string}` {
  return `${TRANSFERS_PATH}/${id}`
}

/** Screens of the payment history. */
export const PAYMENTS_BY_AGREEMENT_PATH = '/histories/payments-by-agreement'
export const PAYMENTS_BY_PUBLISHER_PATH = '/histories/payments-by-publisher'
export const PAYMENTS_FOR_PUBLISHERS_PATH = '/histories/payments-for-publishers'
/** Registration numbers of payees against the public register; reached from the close board and the payment settings. */
export const REGISTRATIONS_PATH = '/adjustments/registrations'
/** The next due dates by payee; reached from the lists of payments. */
export const CASH_FORECAST_PATH = '/histories/cash-forecast'
/** Reached from the close board and the command palette; it has no item in the sidebar. */
export const WHAT_IF_PATH = '/adjustments/what-if'
