import { type AgreementInput, IN_HOUSE_AGREEMENT_FIELDS } from '@pc/domain/agreement/agreement-record.ts'
import { fieldsOf } from '@pc/domain/record/record-fields.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readMonth } from '@pc/platform/graphql/list-arguments.ts'
import type { AgreementEnums } from './agreement-graph.ts'
import type { AccountAssignment } from './assign-bank-accounts.ts'

type Path = readonly (string | number)[]

/** Whether the input sets terms or fields that the law examines. Only staff with a separate right may write these. */
export function hasInHouseFields(input: AgreementInput<Date>): boolean {
  const { confirmsTaxTreatment, terms } = input
  const given = { ...fieldsOf(IN_HOUSE_AGREEMENT_FIELDS, input), ...terms, confirmsTaxTreatment }
  return Object.values(given).some(value => value !== undefined)
}

export function agreementInputTypes(graph: Graph, enums: AgreementEnums) {
  const AgreementInput = graph.inputType('AgreementInput', {
    fields: t => ({
      id: t.id({ description: 'Absent: a new agreement.' }),
      mediumId: t.id(),
      organizationId: t.id(),
      name: t.string(),
      code: t.string(),
      isTerminated: t.boolean({ description: 'Without terminatedAt: true terminates now, false takes it back.' }),
      terminatedAt: t.field({ type: 'DateTime' }),
      isPaymentDisabled: t.boolean(),
      notes: t.string(),
      feePaidBy: t.field({ type: enums.FeePaidBy }),
      paymentTiming: t.field({ type: enums.PaymentTiming }),
      minimumRevenueType: t.field({ type: enums.MinimumRevenueType }),
      fixedRevenue: t.field({ type: 'Long' }),
      minimumRevenue: t.field({ type: 'Long' }),
      payoutThreshold: t.field({ type: 'Long', description: 'Null: the platform’s setting.' }),
      validFromMonth: t.int({ description: 'From which month (YYYYMM) changed terms hold. Default: this month.' }),
      payeeKind: t.field({ type: enums.PayeeKind }),
      payeeResidence: t.field({ type: enums.PayeeResidence }),
      treatyFormFrom: t.field({
        type: 'Date',
        description: 'First day of payment that the treaty form covers. Null: none.',
      }),
      treatyFormTo: t.field({ type: 'Date', description: 'Last day of payment that it covers. Null: no end.' }),
      treatyFormRate: t.int({ description: '1/100 %, from 0 to 2042. Null: there is no treaty form.' }),
      confirmsTaxTreatment: t.boolean({
        description:
          'True: somebody has looked at kind, residence and registration of the payee. The first time `payeeKind` is given with it.',
      }),
      smallSupplierCoverage: t.field({ type: enums.LawCoverage }),
      freelanceCoverage: t.field({ type: enums.LawCoverage }),
      isShiftAgreedInWriting: t.boolean(),
      qualifiedInvoiceIssuer: t.boolean(),
      invoiceRegistrationNumber: t.string(),
      contractEndMonth: t.int({ description: 'YYYYMM, the last month of the contract. Null: it has no end.' }),
      renewalNoticeDays: t.int({ description: 'Days before that end on which people are reminded. Null: nobody is.' }),
      acknowledgedLawRuleIds: t.stringList({ description: 'Given: warnings of the law must be in it.' }),
      expectedRevision: t.int({ description: 'The revision that was edited; another one refuses the change.' }),
    }),
  })
  const AgreementBankAccountInput = graph.inputType('AgreementBankAccountInput', {
    fields: t => ({ bankAccountId: t.id({ required: true }), usedFromMonth: t.int({ required: true }) }),
  })
  return { AgreementInput, AgreementBankAccountInput }
}

type Given = ReturnType<typeof agreementInputTypes>['AgreementInput']['$inferInput']
type GivenAccount = ReturnType<typeof agreementInputTypes>['AgreementBankAccountInput']['$inferInput']

/** The mutation's input with ids and months read. Undefined: the field was not sent; null: it is to be emptied. */
export function readAgreementInput(given: Given, path: Path): AgreementInput<Date> {
  const id = (name: 'id' | 'mediumId' | 'organizationId') => {
    const text = given[name]
    return text === null || text === undefined ? undefined : readId(String(text), [...path, name])
  }
  const terms = {
    feePaidBy: given.feePaidBy ?? undefined,
    paymentTiming: given.paymentTiming ?? undefined,
    minimumRevenueType: given.minimumRevenueType ?? undefined,
    fixedRevenueYen: given.fixedRevenue ?? undefined,
    minimumRevenueYen: given.minimumRevenue ?? undefined,
    payoutThresholdYen: given.payoutThreshold,
  }
  return {
    id: id('id'),
    mediumId: id('mediumId'),
    organizationId: id('organizationId'),
    name: given.name ?? undefined,
    code: given.code ?? undefined,
    isTerminated: given.isTerminated ?? undefined,
    terminatedAt: given.terminatedAt,
    isPaymentDisabled: given.isPaymentDisabled ?? undefined,
    notes: given.notes,
    payeeKind: given.payeeKind ?? undefined,
    payeeResidence: given.payeeResidence ?? undefined,
    treatyFormFrom: given.treatyFormFrom,
    treatyFormTo: given.treatyFormTo,
    treatyFormRate: given.treatyFormRate,
    confirmsTaxTreatment: given.confirmsTaxTreatment === true ? true : undefined,
    smallSupplierCoverage: given.smallSupplierCoverage ?? undefined,
    freelanceCoverage: given.freelanceCoverage ?? undefined,
    isShiftAgreedInWriting: given.isShiftAgreedInWriting ?? undefined,
    isQualifiedInvoiceIssuer: given.qualifiedInvoiceIssuer ?? undefined,
    invoiceRegistrationNumber: given.invoiceRegistrationNumber,
    acknowledgedLawRuleIds: given.acknowledgedLawRuleIds ?? undefined,
    contractEndMonth:
      given.contractEndMonth === null || given.contractEndMonth === undefined
        ? given.contractEndMonth
        : readMonth(given.contractEndMonth, [...path, 'contractEndMonth']),
    renewalNoticeDays: given.renewalNoticeDays,
    terms: Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined)),
    validFromMonth:
      given.validFromMonth === null || given.validFromMonth === undefined
        ? undefined
        : readMonth(given.validFromMonth, [...path, 'validFromMonth']),
    expectedRevision: given.expectedRevision ?? undefined,
  }
}

/** The accounts of the mutation's input; undefined when none were sent, so that they stay as they are. */
export function readAssignments(
  given: readonly GivenAccount[] | null | undefined,
): readonly AccountAssignment[] | undefined {
  return given?.map((one, index) => ({
    bankAccountId: readId(String(one.bankAccountId), ['agreementBankAccounts', index, 'bankAccountId']),
    usedFromMonth: readMonth(one.usedFromMonth, ['agreementBankAccounts', index, 'usedFromMonth']),
  }))
}
