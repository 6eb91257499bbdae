import type { AgreementTerms, FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import { accountInUse, FEE_PAYERS, isTerminatedOn } from '@pc/domain/agreement/agreement-terms.ts'
import { type LawFinding, lawFindings } from '@pc/domain/agreement/law-guard.ts'
import { MINIMUM_REVENUE_TYPES } from '@pc/domain/agreement/minimum-revenue.ts'
import { valueAsOf } from '@pc/domain/agreement/terms-history.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { PAYMENT_TIMINGS } from '@pc/domain/month/due-date.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { RESIDENCES, type Residence } from '@pc/domain/transfer/withholding.ts'
import { type Clock, dayAt, thisMonth, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { loadBatched } from '@pc/platform/graphql/load-batched.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type AgreementBankAccountRow, readAgreementBankAccounts } from './agreement-bank-account-store.ts'
import { type AgreementDocumentRow, readAgreementDocuments } from './agreement-document-store.ts'
import { factsOf } from './agreement-facts.ts'
import type { AgreementRow } from './agreement-store.ts'
import { readTermsHistories, type TermsVersion } from './agreement-terms-store.ts'
import { type OpeningBalanceRow, readOpeningBalances } from './opening-balance-store.ts'
import { readPlatformTerms } from './platform-terms.ts'

/** An agreement as it was or will be in a month; absent: this month. */
export interface ShownAgreement extends AgreementRow {
  readonly asOfMonth?: YearMonth | undefined
}

export interface AgreementTypeDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly AgreementDocument: ObjectTypeRef<AgreementDocumentRow>
  /** The types of the graph that other features make. */
  readonly Organization: ObjectTypeRef<{ readonly id: bigint; readonly name: string }>
  readonly BankAccount: ObjectTypeRef<BankAccountShape>
  /** Accounts by id, as far as the caller may see them. */
  readonly findBankAccounts: (
    context: GraphContext,
    ids: readonly bigint[],
  ) => Promise<ReadonlyMap<bigint, BankAccountShape>>
}
/** An account of another feature's type, of which this feature needs the id only. */
type BankAccountShape = { readonly id: bigint }

const IN_HOUSE = {
  nullable: true,
  allow: 'read:show',
  on: 'insight:in_house_field.',
  description: 'Staff only.',
} as const
const ACCOUNTS = { nullable: true, allow: 'read:list', on: 'insight:agreement_bank_account.' } as const

export type AgreementEnums = ReturnType<typeof agreementEnums>

export function agreementEnums(graph: Graph) {
  return {
    FeePaidBy: graph.enumType('FeePaidBy', { values: FEE_PAYERS }),
    PaymentTiming: graph.enumType('PaymentTiming', { values: PAYMENT_TIMINGS }),
    MinimumRevenueType: graph.enumType('MinimumRevenueType', { values: MINIMUM_REVENUE_TYPES }),
    PayeeKind: graph.enumType('PayeeKind', { values: ['company', 'individual'] as const }),
    PayeeResidence: graph.enumType('PayeeResidence', { values: RESIDENCES }),
    LawCoverage: graph.enumType('LawCoverage', { values: ['covered', 'not_covered', 'unknown'] as const }),
    LawSeverity: graph.enumType('LawSeverity', { values: ['error', 'warning', 'note'] as const }),
  }
}

/** The type `Agreement` with its terms, accounts, documents and findings, which are read only when they are requested. */
export function agreementType(graph: Graph, enums: AgreementEnums, dependencies: AgreementTypeDependencies) {
  const { clock, Organization } = dependencies
  const monthOf = (row: ShownAgreement) => row.asOfMonth ?? thisMonth(clock)
  const AgreementTermsVersion = termsVersionType(graph, enums)
  const AgreementBankAccount = agreementBankAccountType(graph, dependencies)
  const AgreementLawFinding = lawFindingType(graph, enums)
  const OpeningBalance = openingBalanceType(graph)
  const historyOf = (row: ShownAgreement, context: GraphContext) => {
    const { scope } = demandPermit(context, 'read:show', 'insight:in_house_field.')
    return loadBatched(context, 'agreement terms', row.id, ids =>
      readTermsHistories(dependencies.database.reader(scope), ids),
    )
  }
  // Several fields of a row need the same terms, which are read once. A row object belongs to one response only.
  const known = new WeakMap<ShownAgreement, Promise<AgreementTerms | null>>()
  const termsOf = (row: ShownAgreement, context: GraphContext): Promise<AgreementTerms | null> => {
    const found =
      known.get(row) ?? historyOf(row, context).then(history => valueAsOf(history ?? [], monthOf(row)) ?? null)
    known.set(row, found)
    return found
  }
  const accountsOf = async (row: ShownAgreement, context: GraphContext) => {
    const { scope } = demandPermit(context, 'read:list', 'insight:agreement_bank_account.')
    const found = await loadBatched(context, 'agreement accounts', row.id, ids =>
      readAgreementBankAccounts(dependencies.database.reader(scope), ids),
    )
    return found ?? []
  }
  return graph.objectRef<ShownAgreement>('Agreement').implement({
    on: 'insight:agreement.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      code: t.exposeString('code'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      organization: t.field({
        type: Organization,
        nullable: true,
        resolve: row => (row.organizationName === null ? null : { id: row.organizationId, name: row.organizationName }),
      }),
      isTerminated: t.boolean({
        description: 'From the day of `terminatedAt` on; until then the termination is scheduled.',
        resolve: ({ terminatedAt }) => isTerminatedOn(today(clock), terminatedAt && dayAt(terminatedAt.getTime())),
      }),
      terminatedAt: t.expose('terminatedAt', { type: 'DateTime', nullable: true }),
      isPaymentDisabled: t.exposeBoolean('isPaymentDisabled'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision'),
      qualifiedInvoiceIssuer: t.exposeBoolean('isQualifiedInvoiceIssuer'),
      invoiceRegistrationNumber: t.exposeString('invoiceRegistrationNumber', { nullable: true }),
      notes: field(t, {
        type: 'String',
        nullable: true,
        description: 'Staff only.',
        allow: 'read:show',
        on: 'insight:in_house_note.',
        resolve: row => row.notes,
      }),
      feePaidBy: field(t, {
        ...IN_HOUSE,
        type: enums.FeePaidBy,
        resolve: async (row, _args, context): Promise<FeePayer | null> =>
          (await termsOf(row, context))?.feePaidBy ?? null,
      }),
      paymentTiming: field(t, {
        ...IN_HOUSE,
        type: enums.PaymentTiming,
        resolve: async (row, _args, context) => (await termsOf(row, context))?.paymentTiming ?? null,
      }),
      minimumRevenueType: field(t, {
        ...IN_HOUSE,
        type: enums.MinimumRevenueType,
        resolve: async (row, _args, context) => (await termsOf(row, context))?.minimumRevenueType ?? null,
      }),
      fixedRevenue: field(t, {
        ...IN_HOUSE,
        type: 'Long',
        resolve: async (row, _args, context) => (await termsOf(row, context))?.fixedRevenueYen ?? null,
      }),
      minimumRevenue: field(t, {
        ...IN_HOUSE,
        type: 'Long',
        resolve: async (row, _args, context) => (await termsOf(row, context))?.minimumRevenueYen ?? null,
      }),
      payoutThreshold: field(t, {
        ...IN_HOUSE,
        type: 'Long',
        resolve: async (row, _args, context) => (await termsOf(row, context))?.payoutThresholdYen ?? null,
      }),
      termsHistory: field(t, {
        ...IN_HOUSE,
        type: [AgreementTermsVersion],
        description: 'Staff only. Every version of the terms, oldest first.',
        resolve: async (row, _args, context) => (await historyOf(row, context)) ?? [],
      }),
      payeeKind: field(t, {
        ...IN_HOUSE,
        type: enums.PayeeKind,
        resolve: row => row.payeeKind as 'company' | 'individual',
      }),
      payeeResidence: field(t, {
        ...IN_HOUSE,
        type: enums.PayeeResidence,
        resolve: row => row.payeeResidence as Residence,
      }),
      treatyFormFrom: field(t, {
        ...IN_HOUSE,
        type: 'Date',
        description: 'Staff only. The first day of payment that the treaty form of a non-resident covers.',
        resolve: row => row.treatyFormFrom as Day | null,
      }),
      treatyFormTo: field(t, {
        ...IN_HOUSE,
        type: 'Date',
        description: 'Staff only. The last day of payment that it covers; null: it has no end.',
        resolve: row => row.treatyFormTo as Day | null,
      }),
      treatyFormRate: field(t, {
        ...IN_HOUSE,
        type: 'Int',
        description: 'Staff only. Its rate in 1/100 %; null: there is no treaty form.',
        resolve: row => row.treatyFormRate,
      }),
      taxTreatmentConfirmedAt: field(t, {
        ...IN_HOUSE,
        type: 'DateTime',
        description: 'Staff only. When kind, residence and registration of the payee were decided; null: never.',
        resolve: row => row.taxTreatmentConfirmedAt,
      }),
      smallSupplierCoverage: field(t, {
        ...IN_HOUSE,
        type: enums.LawCoverage,
        resolve: row => row.smallSupplierCoverage as 'covered' | 'not_covered' | 'unknown',
      }),
      freelanceCoverage: field(t, {
        ...IN_HOUSE,
        type: enums.LawCoverage,
        resolve: row => row.freelanceCoverage as 'covered' | 'not_covered' | 'unknown',
      }),
      isShiftAgreedInWriting: field(t, { ...IN_HOUSE, type: 'Boolean', resolve: row => row.isShiftAgreedInWriting }),
      contractEndMonth: field(t, {
        ...IN_HOUSE,
        type: 'Int',
        description: 'Staff only. YYYYMM, the last month of the contract.',
        resolve: row => row.contractEndMonth,
      }),
      renewalNoticeDays: field(t, {
        ...IN_HOUSE,
        type: 'Int',
        description: 'Staff only. How many days before that end people are reminded, once.',
        resolve: row => row.renewalNoticeDays,
      }),
      documents: t.field({
        type: [dependencies.AgreementDocument],
        description: 'The files of the contract, the latest first.',
        resolve: async (row, _args, context) => {
          const { scope } = demandPermit(context, 'read:show', 'insight:agreement.')
          const found = await loadBatched(context, 'agreement documents', row.id, ids =>
            readAgreementDocuments(dependencies.database.reader(scope), ids),
          )
          return [...(found ?? [])]
        },
      }),
      lawFindings: field(t, {
        ...IN_HOUSE,
        type: [AgreementLawFinding],
        description: 'Staff only. What the rules of law in force today say about the agreement.',
        async resolve(row, _args, context) {
          const terms = await termsOf(row, context)
          if (!terms) return []
          const { scope } = demandPermit(context, 'read:show', 'insight:in_house_field.')
          const platform = await loadBatched(context, 'platform terms', 'of this month', async ids => {
            const found = await readPlatformTerms(dependencies.database.reader(scope), thisMonth(clock))
            return new Map(ids.map(id => [id, found]))
          })
          return platform
            ? [...lawFindings(factsOf(row, terms, platform), today(clock), row.acknowledgedLawRuleIds)]
            : []
        },
      }),
      openingBalances: field(t, {
        type: [OpeningBalance],
        nullable: true,
        description:
          'Staff only. Revenue that was carried over from the system before, oldest months of each publisher first.',
        allow: 'read:list',
        on: 'insight:opening_balance.',
        resolve: async (row, _args, context) => {
          const { scope } = demandPermit(context, 'read:list', 'insight:opening_balance.')
          const found = await loadBatched(context, 'opening balances', row.id, ids =>
            readOpeningBalances(dependencies.database.reader(scope), ids),
          )
          return [...(found ?? [])]
        },
      }),
      agreementBankAccounts: field(t, {
        ...ACCOUNTS,
        type: [AgreementBankAccount],
        resolve: (row, _args, context) => accountsOf(row, context),
      }),
      inUseAgreementBankAccount: field(t, {
        ...ACCOUNTS,
        type: AgreementBankAccount,
        description: 'The account that is paid to in the month that is shown.',
        async resolve(row, _args, context) {
          const accounts = await accountsOf(row, context)
          const inUse = accountInUse(accounts, monthOf(row))
          const month = monthOf(row)
          return accounts.find(one => one.bankAccountId === inUse && one.usedFromMonth <= month) ?? null
        },
      }),
    }),
  })
}

function termsVersionType(graph: Graph, enums: AgreementEnums) {
  return graph.objectRef<TermsVersion>('AgreementTermsVersion').implement({
    on: 'inherits',
    fields: t => ({
      validFromMonth: t.exposeInt('validFromMonth'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      feePaidBy: t.field({ type: enums.FeePaidBy, resolve: version => version.value.feePaidBy }),
      paymentTiming: t.field({ type: enums.PaymentTiming, resolve: version => version.value.paymentTiming }),
      minimumRevenueType: t.field({
        type: enums.MinimumRevenueType,
        resolve: version => version.value.minimumRevenueType,
      }),
      fixedRevenue: t.field({ type: 'Long', resolve: version => version.value.fixedRevenueYen }),
      minimumRevenue: t.field({ type: 'Long', resolve: version => version.value.minimumRevenueYen }),
      payoutThreshold: t.field({ type: 'Long', nullable: true, resolve: version => version.value.payoutThresholdYen }),
    }),
  })
}

function openingBalanceType(graph: Graph) {
  return graph.objectRef<OpeningBalanceRow>('OpeningBalance').implement({
    on: 'insight:opening_balance.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName'),
      originMonth: t.exposeInt('originMonth', { description: 'YYYYMM: the month in which the revenue arose.' }),
      bookedMonth: t.exposeInt('bookedMonth', {
        description: 'YYYYMM: it counts in the first month from this one on that is settled.',
      }),
      amount: t.field({ type: 'Long', description: 'Yen without tax.', resolve: row => row.amountYen }),
      isQualified: t.exposeBoolean('isQualified', {
        description: 'Whether the payee was a qualified invoice issuer on the last day of the origin month.',
      }),
    }),
  })
}

function lawFindingType(graph: Graph, enums: AgreementEnums) {
  return graph.objectRef<LawFinding>('AgreementLawFinding').implement({
    on: 'inherits',
    fields: t => ({
      ruleId: t.exposeString('ruleId'),
      severity: t.expose('severity', { type: enums.LawSeverity }),
      field: t.exposeString('field'),
      text: t.exposeString('text'),
      source: t.exposeString('source'),
      isAcknowledged: t.exposeBoolean('isAcknowledged'),
    }),
  })
}

function agreementBankAccountType(graph: Graph, { BankAccount, findBankAccounts }: AgreementTypeDependencies) {
  return graph.objectRef<AgreementBankAccountRow>('AgreementBankAccount').implement({
    on: 'insight:agreement_bank_account.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      bankAccountId: t.expose('bankAccountId', { type: 'ID' }),
      usedFromMonth: t.exposeInt('usedFromMonth'),
      bankAccount: t.field({
        type: BankAccount,
        nullable: true,
        resolve: async (row, _args, context) =>
          (await loadBatched(context, 'bank accounts', row.bankAccountId, ids => findBankAccounts(context, ids))) ??
          null,
      }),
    }),
  })
}
