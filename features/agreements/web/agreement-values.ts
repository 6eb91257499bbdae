import { AGREEMENT_INPUT_REFUSALS_JA as TEXTS } from '@pc/domain/agreement/agreement-input-refusals.ja.ts'
import { isAgreementCode, isAgreementName } from '@pc/domain/agreement/agreement-texts.ts'
import { CONTRACT_DOCUMENT_REFUSALS_JA as DOCUMENT_TEXTS } from '@pc/domain/agreement/contract-document-refusals.ja.ts'
import { RENEWAL_NOTICE_DAYS } from '@pc/domain/agreement/contract-renewal.ts'
import type { AgreementFacts, Coverage } from '@pc/domain/agreement/law-rule.ts'
import type { History } from '@pc/domain/agreement/terms-history.ts'
import { treatyFormRefusals } from '@pc/domain/agreement/treaty-form.ts'
import { normalizeRegistrationNumber } from '@pc/domain/bank/registration-number.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { formatYearMonth, monthOfDay, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { NAME_REFUSALS_JA } from '@pc/domain/text/name-refusals.ja.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import type { FieldProblem } from '@pc/ui/form/refused-fields.ts'
import type { Choice } from '@pc/ui/form/suggest-field.tsx'
import type { AgreementEditQuery, AgreementInput, UpsertAgreementMutationVariables } from './agreement-edit.gen.ts'
import { accountName } from './agreement-words.ts'

type Agreement = NonNullable<AgreementEditQuery['agreement']>

/** The form of an agreement. Fields that the viewer may not see keep their defaults and are not sent. */
export interface AgreementValues {
  organizationId: Choice | null
  mediumId: string | null
  name: string
  code: string
  isPaymentDisabled: boolean
  terminatedAt: string | null
  notes: string
  feePaidBy: AgreementFacts['feePaidBy']
  paymentTiming: AgreementFacts['paymentTiming']
  minimumRevenueType: 'none' | 'by_agreement' | 'by_publisher'
  fixedRevenue: number | null
  minimumRevenue: number | null
  payoutThreshold: number | null
  validFromMonth: string | null
  contractEndMonth: string | null
  renewalNoticeDays: number | null
  /** Null: still to be chosen. It decides withholding, so a new agreement has no default. */
  payeeKind: AgreementFacts['payeeKind'] | null
  payeeResidence: 'resident' | 'non_resident' | null
  treatyFormFrom: string | null
  treatyFormTo: string | null
  treatyFormRate: number | null
  smallSupplierCoverage: Coverage
  freelanceCoverage: Coverage
  isShiftAgreedInWriting: boolean
  qualifiedInvoiceIssuer: boolean
  invoiceRegistrationNumber: string
  acknowledgedLawRuleIds: string[]
  agreementBankAccounts: { bankAccountId: string | null; usedFromMonth: string | null }[]
}

/** @param from the first month of the terms */
export function newAgreementValues(from: YearMonth): AgreementValues {
  return {
    ...{ organizationId: null, mediumId: null, name: '', code: '', isPaymentDisabled: false, terminatedAt: null },
    ...{ notes: '', feePaidBy: 'product', paymentTiming: 'a_month_later', minimumRevenueType: 'none' },
    ...{ fixedRevenue: null, minimumRevenue: null, payoutThreshold: null },
    ...{ contractEndMonth: null, renewalNoticeDays: null },
    ...{ validFromMonth: formatYearMonth(from), payeeKind: null },
    ...{ payeeResidence: null, treatyFormFrom: null, treatyFormTo: null, treatyFormRate: null },
    ...{ smallSupplierCoverage: 'unknown', freelanceCoverage: 'unknown', isShiftAgreedInWriting: false },
    ...{ qualifiedInvoiceIssuer: false, invoiceRegistrationNumber: '' },
    acknowledgedLawRuleIds: [],
    agreementBankAccounts: [],
  }
}

/** The values of the form for an existing agreement. */
export function valuesOf(agreement: Agreement, today: Day): AgreementValues {
  const fallback = newAgreementValues(monthOfDay(today))
  return {
    organizationId: { id: agreement.organizationId, name: agreement.organization?.name ?? '（表示できない組織）' },
    mediumId: agreement.mediumId,
    name: agreement.name,
    code: agreement.code,
    isPaymentDisabled: agreement.isPaymentDisabled,
    terminatedAt: agreement.terminatedAt ? dayText(agreement.terminatedAt) : null,
    notes: agreement.notes ?? '',
    feePaidBy: agreement.feePaidBy ?? fallback.feePaidBy,
    paymentTiming: agreement.paymentTiming ?? fallback.paymentTiming,
    minimumRevenueType: agreement.minimumRevenueType ?? fallback.minimumRevenueType,
    fixedRevenue: agreement.fixedRevenue ?? null,
    minimumRevenue: agreement.minimumRevenue ?? null,
    payoutThreshold: agreement.payoutThreshold ?? null,
    validFromMonth: fallback.validFromMonth,
    contractEndMonth: agreement.contractEndMonth ? formatYearMonth(agreement.contractEndMonth as YearMonth) : null,
    renewalNoticeDays: agreement.renewalNoticeDays ?? null,
    payeeKind: agreement.payeeKind ?? 'company',
    payeeResidence: agreement.payeeResidence ?? 'resident',
    treatyFormFrom: agreement.treatyFormFrom ?? null,
    treatyFormTo: agreement.treatyFormTo ?? null,
    treatyFormRate: agreement.treatyFormRate ?? null,
    smallSupplierCoverage: agreement.smallSupplierCoverage ?? fallback.smallSupplierCoverage,
    freelanceCoverage: agreement.freelanceCoverage ?? fallback.freelanceCoverage,
    isShiftAgreedInWriting: agreement.isShiftAgreedInWriting ?? false,
    qualifiedInvoiceIssuer: agreement.qualifiedInvoiceIssuer,
    invoiceRegistrationNumber: agreement.invoiceRegistrationNumber ?? '',
    acknowledgedLawRuleIds: (agreement.lawFindings ?? []).flatMap(one => (one.isAcknowledged ? [one.ruleId] : [])),
    agreementBankAccounts: (agreement.agreementBankAccounts ?? []).map(one => ({
      bankAccountId: one.bankAccountId,
      usedFromMonth: formatYearMonth(one.usedFromMonth as YearMonth),
    })),
  }
}

type Terms = Pick<
  AgreementValues,
  'feePaidBy' | 'paymentTiming' | 'minimumRevenueType' | 'fixedRevenue' | 'minimumRevenue' | 'payoutThreshold'
>

/** The versions of the terms by month, in the form's types. */
export function termsHistoryOf(agreement: Agreement | undefined): History<Terms> {
  return (agreement?.termsHistory ?? []).map(version => ({
    validFromMonth: version.validFromMonth as YearMonth,
    value: {
      ...{ feePaidBy: version.feePaidBy, paymentTiming: version.paymentTiming },
      ...{ minimumRevenueType: version.minimumRevenueType, fixedRevenue: version.fixedRevenue },
      ...{ minimumRevenue: version.minimumRevenue, payoutThreshold: version.payoutThreshold ?? null },
    },
  }))
}

const tokyoDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' })

function dayText(instant: string): string {
  return tokyoDay.format(new Date(instant))
}

/** The accounts in use as options, because the list of the organisation's accounts may no longer contain them. */
export function accountOptionsOf(agreement: Agreement | undefined): { value: string; label: string }[] {
  return (agreement?.agreementBankAccounts ?? []).map(one => ({
    value: one.bankAccountId,
    label: one.bankAccount ? accountName(one.bankAccount) : `口座 ${one.bankAccountId}`,
  }))
}

/** What the platform's settings add to the terms of every agreement. */
export type PlatformFacts = Pick<AgreementFacts, 'businessDayShift' | 'payoutThresholdYen'>

/** The facts that the rules of law examine, from the values in the form. */
export function factsOfValues(values: AgreementValues, platform: PlatformFacts): AgreementFacts {
  const number = values.invoiceRegistrationNumber.trim()
  return {
    feePaidBy: values.feePaidBy,
    paymentTiming: values.paymentTiming,
    businessDayShift: platform.businessDayShift,
    payoutThresholdYen:
      values.payoutThreshold === null ? platform.payoutThresholdYen : BigInt(Math.trunc(values.payoutThreshold)),
    isShiftAgreedInWriting: values.isShiftAgreedInWriting,
    smallSupplierCoverage: values.smallSupplierCoverage,
    freelanceCoverage: values.freelanceCoverage,
    payeeKind: values.payeeKind ?? 'company',
    isQualifiedInvoiceIssuer: values.qualifiedInvoiceIssuer,
    invoiceRegistrationNumber: number === '' ? null : normalizeRegistrationNumber(number),
  }
}

/** The treaty form that is sent. A resident has none, whatever the hidden fields still contain. */
function sentTreatyForm({ payeeResidence, treatyFormFrom, treatyFormTo, treatyFormRate }: AgreementValues) {
  return payeeResidence !== 'non_resident'
    ? { payeeResidence, treatyFormFrom: null, treatyFormTo: null, treatyFormRate: null }
    : { payeeResidence, treatyFormFrom, treatyFormTo, treatyFormRate }
}

/** The server's rules and texts, except those of law (`lawProblems`), so that the form can refuse before it is sent. */
export function checkAgreement(values: AgreementValues): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (name: string, message: string) => problems.push({ name, message })
  if (values.organizationId === null) add('organizationId', TEXTS['agreement/organization-unknown']())
  if (values.mediumId === null) add('mediumId', TEXTS['agreement/medium-unknown']())
  if (!isAgreementName(values.name)) add('name', TEXTS['agreement/name-required']())
  if (!isAgreementCode(values.code)) add('code', TEXTS['agreement/code-required']())
  for (const field of ['name', 'code'] as const) {
    if (hasHiddenCharacter(values[field].trim())) add(field, NAME_REFUSALS_JA['name/hidden-characters']())
  }
  if (values.payeeKind === null) add('payeeKind', TEXTS['agreement/payee-kind-missing']())
  if (values.payeeResidence === null) add('payeeResidence', '居住地を選択してください。')
  for (const { path, code, data } of treatyFormRefusals({
    ...sentTreatyForm(values),
    payeeResidence: values.payeeResidence ?? 'resident',
  }))
    add(String(path[1]), TEXTS[code](data))
  const months = values.agreementBankAccounts.map(one => one.usedFromMonth)
  for (const [index, one] of values.agreementBankAccounts.entries()) {
    const name = `agreementBankAccounts.${index}`
    if (one.bankAccountId === null) add(`${name}.bankAccountId`, '振込口座を選択してください。')
    if (one.usedFromMonth === null) add(`${name}.usedFromMonth`, '利用開始月を選択してください。')
    else if (months.indexOf(one.usedFromMonth) < index)
      add(`${name}.usedFromMonth`, TEXTS['agreement/bank-account-month-twice']())
  }
  const { renewalNoticeDays: days } = values
  if (days !== null) {
    const { least, most } = RENEWAL_NOTICE_DAYS
    if (days < least || days > most)
      add('renewalNoticeDays', DOCUMENT_TEXTS['agreement/renewal-notice-out-of-range']({ least, most }))
    if (values.contractEndMonth === null) add('contractEndMonth', DOCUMENT_TEXTS['agreement/contract-end-missing']())
  }
  return problems
}

/** Parts of the form that are sent, because the person may change them. */
export interface Sendable {
  readonly inHouse: boolean
  readonly notes: boolean
  readonly accounts: boolean
}

/** The variables of the mutation. Parts that the person may not change are left out, so that they stay as they are. */
export function variablesOf(
  values: AgreementValues,
  id: string | undefined,
  expectedRevision: number | undefined,
  sendable: Sendable,
): UpsertAgreementMutationVariables {
  const number = values.invoiceRegistrationNumber.trim()
  const input: AgreementInput = {
    ...(id === undefined ? {} : { id }),
    ...(expectedRevision === undefined ? {} : { expectedRevision }),
    organizationId: values.organizationId?.id ?? null,
    mediumId: values.mediumId,
    name: values.name.trim(),
    code: values.code.trim(),
    isPaymentDisabled: values.isPaymentDisabled,
    terminatedAt: values.terminatedAt === null ? null : `${values.terminatedAt}T00:00:00+09:00`,
    qualifiedInvoiceIssuer: values.qualifiedInvoiceIssuer,
    invoiceRegistrationNumber: number === '' ? null : number,
    ...(sendable.notes ? { notes: values.notes.trim() === '' ? null : values.notes } : {}),
    ...(sendable.inHouse ? inHouseInput(values) : {}),
  }
  if (!sendable.accounts) return { input }
  return {
    input,
    agreementBankAccounts: values.agreementBankAccounts.map(one => ({
      bankAccountId: one.bankAccountId ?? '',
      usedFromMonth: Number(parseYearMonth(one.usedFromMonth ?? '')),
    })),
  }
}

function inHouseInput(values: AgreementValues): Partial<AgreementInput> {
  const month = parseYearMonth(values.validFromMonth ?? '')
  return {
    feePaidBy: values.feePaidBy,
    paymentTiming: values.paymentTiming,
    minimumRevenueType: values.minimumRevenueType,
    fixedRevenue: values.fixedRevenue ?? 0,
    minimumRevenue: values.minimumRevenue ?? 0,
    payoutThreshold: values.payoutThreshold,
    ...(month === undefined ? {} : { validFromMonth: month }),
    contractEndMonth: (values.contractEndMonth !== null && parseYearMonth(values.contractEndMonth)) || null,
    renewalNoticeDays: values.renewalNoticeDays,
    payeeKind: values.payeeKind,
    ...sentTreatyForm(values),
    confirmsTaxTreatment: true,
    smallSupplierCoverage: values.smallSupplierCoverage,
    freelanceCoverage: values.freelanceCoverage,
    isShiftAgreedInWriting: values.isShiftAgreedInWriting,
    acknowledgedLawRuleIds: values.acknowledgedLawRuleIds,
  }
}
