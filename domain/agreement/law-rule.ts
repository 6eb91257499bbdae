import type { Day } from '../month/day.ts'
import type { BusinessDayShift, PaymentTiming } from '../month/due-date.ts'
import type { FeePayer } from './agreement-terms.ts'

/** Whether an act protects this supplier. Nobody may leave `unknown` unnoticed. */
export type Coverage = 'covered' | 'not_covered' | 'unknown'

/** What the rules look at when an agreement is saved. */
export interface AgreementFacts {
  readonly feePaidBy: FeePayer
  readonly paymentTiming: PaymentTiming
  readonly businessDayShift: BusinessDayShift
  /** The agreement's own or that of the platform; null: not known yet. */
  readonly payoutThresholdYen: bigint | null
  /** A payment after the nominal day because of a bank holiday was agreed in writing. */
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
  /** First day on which it no longer holds; null while it holds. */
  readonly validUntil: Day | null
  readonly severity: LawSeverity
  /** Act and article, or the authority's guidance. */
  readonly source: string
  /** The field of the form that the text belongs to, of some rules by what breaks them. */
  readonly field: keyof AgreementFacts | ((facts: AgreementFacts) => keyof AgreementFacts)
  /** @param on the day whose law is asked: an act protects nobody before its first day */
  readonly isBrokenBy: (facts: AgreementFacts, on: Day) => boolean
  /** Japanese, says what to do. */
  readonly text: string
}
