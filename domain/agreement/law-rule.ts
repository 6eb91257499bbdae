import type { Day } from '../month/day.ts'
import type { BusinessDayShift, PaymentTiming } from '../month/due-date.ts'
import type { FeePayer } from './agreement-terms.ts'

/** Whether an act protects this supplier. `unknown` leads to a finding, so that it is noticed. */
export type Coverage = 'covered' | 'not_covered' | 'unknown'

/** The properties of an agreement that the rules of law examine. */
export interface AgreementFacts {
  readonly feePaidBy: FeePayer
  readonly paymentTiming: PaymentTiming
  readonly businessDayShift: BusinessDayShift
  /** The agreement's threshold, or the platform's; null: not known yet. */
  readonly payoutThresholdYen: bigint | null
  /** The parties agreed in writing that a bank holiday may move the payment past the nominal day. */
  readonly isShiftAgreedInWriting: boolean
  /** 取適法 (the Subcontract Act as amended, in force since 2026-01-01). */
  readonly smallSupplierCoverage: Coverage
  /** フリーランス法 (in force since 2024-11-01). */
  readonly freelanceCoverage: Coverage
  readonly payeeKind: 'company' | 'individual'
  readonly isQualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
}

/** `error` blocks saving; `warning` must be acknowledged; `note` is shown. */
export type LawSeverity = 'error' | 'warning' | 'note'

/** A rule of law as dated data. */
export interface LawRule {
  readonly id: string
  readonly validFrom: Day
  /** First day on which the rule no longer holds; null: it still holds. */
  readonly validUntil: Day | null
  readonly severity: LawSeverity
  /** Act and article, or the authority's guidance. */
  readonly source: string
  /** The form field at which the text is shown; a function where it depends on what breaks the rule. */
  readonly field: keyof AgreementFacts | ((facts: AgreementFacts) => keyof AgreementFacts)
  /** @param on the day on which the law is applied; an act protects nobody before its first day */
  readonly isBrokenBy: (facts: AgreementFacts, on: Day) => boolean
  /** Japanese, and says what to do. */
  readonly text: string
}
