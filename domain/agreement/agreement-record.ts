import type { Day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { fieldNamesOf } from '../record/record-fields.ts'
import type { Residence } from '../transfer/withholding.ts'
import type { AgreementTerms } from './agreement-terms.ts'

/**
 * The fields of an agreement that people edit, as its row stores them; terms and accounts have rows of their own.
 * Reading, saving and history use this list. The domain has no type for instants, so the caller supplies it.
 */
export interface AgreementFields<Instant> {
  readonly name: string
  readonly code: string
  readonly terminatedAt: Instant | null
  readonly isPaymentDisabled: boolean
  readonly notes: string | null
  readonly payeeKind: 'company' | 'individual'
  readonly payeeResidence: Residence
  /**
   * The treaty form: the first and last day of payment that it covers, and its rate in 1/100 %. Null: there is none.
   */
  readonly treatyFormFrom: Day | null
  readonly treatyFormTo: Day | null
  readonly treatyFormRate: number | null
  readonly smallSupplierCoverage: 'covered' | 'not_covered' | 'unknown'
  readonly freelanceCoverage: 'covered' | 'not_covered' | 'unknown'
  readonly isShiftAgreedInWriting: boolean
  readonly isQualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
  /** Law warnings that the user has acknowledged. Any other warning blocks saving. */
  readonly acknowledgedLawRuleIds: readonly string[]
  /** Null: the contract has no end. */
  readonly contractEndMonth: YearMonth | null
  /** Null: no reminder is sent. */
  readonly renewalNoticeDays: number | null
}

export const AGREEMENT_FIELD_LABELS_JA: Readonly<Record<keyof AgreementFields<never>, string>> = {
  name: '契約名',
  code: '契約コード',
  terminatedAt: '解約日',
  isPaymentDisabled: '支払停止',
  notes: '備考',
  payeeKind: '支払先の区分',
  payeeResidence: '支払先の居住地',
  treatyFormFrom: '租税条約の届出書の適用開始日',
  treatyFormTo: '租税条約の届出書の適用終了日',
  treatyFormRate: '租税条約の届出書の税率',
  smallSupplierCoverage: '取適法の対象',
  freelanceCoverage: 'フリーランス法の対象',
  isShiftAgreedInWriting: '支払日の順延の書面合意',
  isQualifiedInvoiceIssuer: '適格請求書発行事業者',
  invoiceRegistrationNumber: '登録番号',
  acknowledgedLawRuleIds: '確認済みの法令の注意',
  contractEndMonth: '契約終了月',
  renewalNoticeDays: '更新のお知らせ',
}
export const AGREEMENT_FIELD_NAMES = fieldNamesOf(AGREEMENT_FIELD_LABELS_JA)

/** Only staff see these, and writing them needs a right of its own, like the terms. */
export const IN_HOUSE_AGREEMENT_FIELDS = [
  ...(['payeeKind', 'payeeResidence', 'treatyFormFrom', 'treatyFormTo', 'treatyFormRate'] as const),
  ...(['smallSupplierCoverage', 'freelanceCoverage', 'isShiftAgreedInWriting'] as const),
  ...(['contractEndMonth', 'renewalNoticeDays'] as const),
] satisfies readonly (keyof AgreementFields<never>)[]

type SentFields<Instant> = {
  readonly [Name in keyof AgreementFields<Instant>]?: AgreementFields<Instant>[Name] | undefined
}

/**
 * What a form or a row of a file sends. A field that is absent stays as it is (in a new agreement: its default); null
 * empties a field that may be empty.
 */
export interface AgreementInput<Instant> extends SentFields<Instant> {
  readonly id?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly organizationId?: bigint | undefined
  readonly isTerminated?: boolean | undefined
  /** The user has checked the payee's kind, residence and registration; absent: not checked. */
  readonly confirmsTaxTreatment?: true | undefined
  readonly terms: Partial<AgreementTerms>
  readonly validFromMonth?: YearMonth | undefined
  /** The revision that was edited; the change is refused when the row has another one. Absent: not compared. */
  readonly expectedRevision?: number | undefined
}
