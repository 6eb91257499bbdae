import type { Day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { Residence } from '../transfer/withholding.ts'
import type { AgreementTerms } from './agreement-terms.ts'

/**
 * What a form or a row of a file says of an agreement. A field that is absent stays as it is (in a new agreement: its
 * default); null empties what may be empty. Domain knows no instants, so the caller says which type they have.
 */
export interface AgreementInput<Instant> {
  readonly id: bigint | undefined
  readonly mediumId: bigint | undefined
  readonly organizationId: bigint | undefined
  readonly name: string | undefined
  readonly code: string | undefined
  readonly isTerminated: boolean | undefined
  readonly terminatedAt: Instant | null | undefined
  readonly isPaymentDisabled: boolean | undefined
  readonly notes: string | null | undefined
  readonly payeeKind: 'company' | 'individual' | undefined
  readonly payeeResidence: Residence | undefined
  /** The first and the last day of payment that a treaty form covers, and its rate in 1/100 %. Null: there is no form. */
  readonly treatyFormFrom: Day | null | undefined
  readonly treatyFormTo: Day | null | undefined
  readonly treatyFormRate: number | null | undefined
  /** Somebody has looked at kind, residence and registration of the payee; absent: nobody says so. */
  readonly confirmsTaxTreatment: true | undefined
  readonly smallSupplierCoverage: 'covered' | 'not_covered' | 'unknown' | undefined
  readonly freelanceCoverage: 'covered' | 'not_covered' | 'unknown' | undefined
  readonly isShiftAgreedInWriting: boolean | undefined
  readonly isQualifiedInvoiceIssuer: boolean | undefined
  readonly invoiceRegistrationNumber: string | null | undefined
  /** Given: warnings of the law that are not in it keep the agreement from being saved. */
  readonly acknowledgedLawRuleIds: readonly string[] | undefined
  /** Null: it has no end. */
  readonly contractEndMonth: YearMonth | null | undefined
  /** Null: nobody is reminded. */
  readonly renewalNoticeDays: number | null | undefined
  readonly terms: Partial<AgreementTerms>
  readonly validFromMonth: YearMonth | undefined
  readonly expectedRevision: number | undefined
}

/** Names nothing. */
export const UNCHANGED_AGREEMENT: AgreementInput<never> = {
  ...{ id: undefined, mediumId: undefined, organizationId: undefined, name: undefined, code: undefined },
  ...{ isTerminated: undefined, terminatedAt: undefined, isPaymentDisabled: undefined, notes: undefined },
  ...{ payeeKind: undefined, payeeResidence: undefined, treatyFormFrom: undefined, treatyFormTo: undefined },
  ...{
    treatyFormRate: undefined,
    confirmsTaxTreatment: undefined,
    smallSupplierCoverage: undefined,
    freelanceCoverage: undefined,
  },
  ...{ isShiftAgreedInWriting: undefined, isQualifiedInvoiceIssuer: undefined, invoiceRegistrationNumber: undefined },
  ...{ acknowledgedLawRuleIds: undefined, contractEndMonth: undefined, renewalNoticeDays: undefined },
  ...{ terms: {}, validFromMonth: undefined, expectedRevision: undefined },
}
