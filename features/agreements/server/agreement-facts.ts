import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import type { AgreementFacts } from '@pc/domain/agreement/law-rule.ts'
import type { AgreementRow } from './agreement-store.ts'
import type { PlatformTerms } from './platform-terms.ts'

type LawColumns = Pick<
  AgreementRow,
  | 'payeeKind'
  | 'smallSupplierCoverage'
  | 'freelanceCoverage'
  | 'isShiftAgreedInWriting'
  | 'isQualifiedInvoiceIssuer'
  | 'invoiceRegistrationNumber'
  | 'acknowledgedLawRuleIds'
>

/** Which acts protect the payee, as entered in the agreement. */
export function coverageOf(row: Pick<LawColumns, 'smallSupplierCoverage' | 'freelanceCoverage'>) {
  return {
    smallSupplierCoverage: row.smallSupplierCoverage as AgreementFacts['smallSupplierCoverage'],
    freelanceCoverage: row.freelanceCoverage as AgreementFacts['freelanceCoverage'],
  }
}

/** The facts that the rules of law examine. */
export function factsOf(row: LawColumns, terms: AgreementTerms, platform: PlatformTerms): AgreementFacts {
  return {
    feePaidBy: terms.feePaidBy,
    paymentTiming: terms.paymentTiming,
    businessDayShift: platform.businessDayShift,
    payoutThresholdYen: terms.payoutThresholdYen ?? platform.payoutThresholdYen,
    isShiftAgreedInWriting: row.isShiftAgreedInWriting,
    ...coverageOf(row),
    payeeKind: row.payeeKind as AgreementFacts['payeeKind'],
    isQualifiedInvoiceIssuer: row.isQualifiedInvoiceIssuer,
    invoiceRegistrationNumber: row.invoiceRegistrationNumber,
  }
}
