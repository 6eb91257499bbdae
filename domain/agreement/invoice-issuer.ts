import { checkRegistrationNumber, type PayeeKind } from '../bank/registration-number.ts'
import type { Day } from '../month/day.ts'
import { lastDayOf, type YearMonth } from '../month/year-month.ts'

/**
 * A period in which the public register shows a number as registered. `endedOn` is the first day on which it no longer
 * is; null: no end.
 */
export interface RegisteredSpan {
  readonly registeredOn: Day
  readonly endedOn: Day | null
}

/**
 * Whether the payee counts as a qualified invoice issuer for a month: its number is well-formed, and the register shows
 * it as valid on the month's last day (Consumption Tax Act articles 30 and 57-2, since 2023-10-01). In every other case
 * the payee is treated as not qualified.
 * Tested by `domain/agreement/agreement.test.ts`.
 */
export function isQualifiedInvoiceIssuer(
  registrationNumber: string | null,
  payeeKind: PayeeKind,
  spans: readonly RegisteredSpan[],
  month: YearMonth,
): boolean {
  if (registrationNumber === null) return false
  if (checkRegistrationNumber(registrationNumber, payeeKind).verdict === 'invalid') return false
  const monthEnd = lastDayOf(month)
  return spans.some(span => span.registeredOn <= monthEnd && (span.endedOn === null || monthEnd < span.endedOn))
}
