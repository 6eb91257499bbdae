import { type Day, day } from '../month/day.ts'
import type { AgreementFacts } from './law-rule.ts'

/** First day of 取適法, the amended Subcontract Act. */
export const SMALL_SUPPLIER_ACT_FROM = day('2026-01-01')
/** First day of フリーランス法. */
export const FREELANCE_ACT_FROM = day('2024-11-01')

/**
 * Whether an act covers the payee and is in force on the day.
 * Tested by `domain/agreement/payment-law.test.ts`.
 */
export function isProtectedOn(
  { smallSupplierCoverage, freelanceCoverage }: Pick<AgreementFacts, 'smallSupplierCoverage' | 'freelanceCoverage'>,
  on: Day,
): boolean {
  return (
    (smallSupplierCoverage === 'covered' && on >= SMALL_SUPPLIER_ACT_FROM) ||
    (freelanceCoverage === 'covered' && on >= FREELANCE_ACT_FROM)
  )
}
