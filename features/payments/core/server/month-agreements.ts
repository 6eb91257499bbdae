import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import { isQualifiedInvoiceIssuer } from '@pc/domain/agreement/invoice-issuer.ts'
import { checkRegistrationNumber, type PayeeKind } from '@pc/domain/bank/registration-number.ts'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { AdjustmentRow, AgreementInput, SettlementSettings } from '@pc/domain/settlement/settlement-input.ts'
import { settlementRulesOf } from '@pc/domain/settlement/settlement-rules.ts'
import type { Residence } from '@pc/domain/transfer/withholding.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import { sql } from 'kysely'
import type { MonthKey } from './month-key.ts'
import { readImportedQualifications } from './month-opening-balances.ts'
import { type BookedRule, readRules } from './month-rules.ts'

export interface BookedAgreement extends AgreementInput {
  readonly name: string
  readonly code: string
  readonly payeeKind: PayeeKind
  readonly payeeResidence: Residence
  /** Null: nobody has looked the number up. */
  readonly isRegistered: boolean | null
  /** Publishers whose rule is in force; others are there for what they are still owed. */
  readonly earningPublisherIds: ReadonlySet<bigint>
  /** Publishers of another organisation than the agreement's. Earlier versions accepted such rules; they must not pay. */
  readonly foreignPublisherIds: readonly bigint[]
}

/**
 * The agreements of the month and their rules, without what the statistics add.
 * Tested by `features/payments/core/server/foreign-rule.test.ts`.
 */
export function readAgreementsOf(tx: Transaction, key: MonthKey): Promise<readonly BookedAgreement[]> {
  return readAgreements(tx, key, { adjustments: [], settings: {} })
}

interface AgreementSqlRow {
  readonly id: bigint
  readonly organizationId: bigint
  readonly name: string
  readonly code: string
  readonly partnerName: string
  readonly terminatedAt: Date | null
  readonly isPaymentDisabled: boolean
  readonly payeeKind: PayeeKind
  readonly payeeResidence: Residence
  readonly isQualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
  readonly validFromMonth: number
  readonly feePaidBy: AgreementTerms['feePaidBy']
  readonly paymentTiming: AgreementTerms['paymentTiming']
  readonly minimumRevenueType: AgreementTerms['minimumRevenueType']
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
  readonly payoutThresholdYen: bigint | null
}

interface AgreementReading {
  readonly adjustments: readonly AdjustmentRow[]
  readonly settings: Pick<SettlementSettings, 'rules'>
}

/**
 * The agreements of the month with their rules, accounts and terms. The adjustments are needed for the months that they
 * name, because their tax depends on whether the payee was a qualified issuer then.
 */
export async function readAgreements(
  tx: Transaction,
  key: MonthKey,
  { adjustments, settings }: AgreementReading,
): Promise<readonly BookedAgreement[]> {
  const { mediumId, month } = key
  // `t`: the version of the terms in force in the month, or the first one when the agreement begins later. The negated
  // month sorts the latest version first among those in force.
  const { rows } = await sql<AgreementSqlRow>`
    select a.id, a.organization_id, a.name, a.code, o.name as partner_name, a.terminated_at, a.is_payment_disabled,
      a.payee_kind, a.payee_residence, a.is_qualified_invoice_issuer, a.invoice_registration_number, t.valid_from_month, t.fee_paid_by,
      t.payment_timing, t.minimum_revenue_type, t.fixed_revenue_yen, t.minimum_revenue_yen, t.payout_threshold_yen
    from agreements a join organizations o on o.id = a.organization_id
    join (select distinct on (h.agreement_id) h.* from agreement_terms_history h
      where h.agreement_id in (select b.id from agreements b where b.medium_id = ${mediumId})
      order by h.agreement_id, (h.valid_from_month <= ${month}) desc,
        case when h.valid_from_month <= ${month} then -h.valid_from_month else h.valid_from_month end) t on t.agreement_id = a.id
    where a.medium_id = ${mediumId} order by a.id`.execute(tx)
  const rules = await readRules(tx, key)
  const accounts = Map.groupBy(await readAccounts(tx, key), account => account.agreementId)
  const needed = neededMonths(rules, adjustments)
  const qualified = await readQualifiedMonths(tx, key, needed)
  const spans = await readRegister(tx, key)
  const { assumesQualificationOfToday } = settlementRulesOf(settings)
  const related = { rules, accounts, needed, qualified, spans, assumesQualificationOfToday }
  return runCooperatively(agreementSteps(rows, key, related))
}

/** What is known of the agreements by their ids, or by their registration numbers. */
interface Related {
  readonly rules: ReadonlyMap<bigint, readonly BookedRule[]>
  readonly accounts: ReadonlyMap<bigint, Awaited<ReturnType<typeof readAccounts>>>
  readonly needed: ReturnType<typeof neededMonths>
  readonly qualified: Awaited<ReturnType<typeof readQualifiedMonths>>
  readonly spans: Awaited<ReturnType<typeof readRegister>>
  readonly assumesQualificationOfToday: boolean
}

function* agreementSteps(
  rows: readonly AgreementSqlRow[],
  key: MonthKey,
  related: Related,
): CooperativeSteps<readonly BookedAgreement[]> {
  const agreements: BookedAgreement[] = []
  for (const row of rows) {
    const agreement = agreementOf(row, key, related)
    if (agreement) agreements.push(agreement)
    yield
  }
  return agreements
}

/** Undefined: the agreement begins later and owes nothing. */
function agreementOf(
  row: AgreementSqlRow,
  { mediumId, month }: MonthKey,
  { rules, accounts, needed, qualified, spans, assumesQualificationOfToday }: Related,
): BookedAgreement | undefined {
  const booked = rules.get(row.id) ?? []
  const ofAgreement = booked.map(each => each.rule)
  const owes = ofAgreement.some(rule => rule.carried.length > 0)
  if (row.validFromMonth > month && !owes) return undefined
  const { invoiceRegistrationNumber: number, payeeKind } = row
  const registered = number === null ? undefined : spans.get(number)
  const isRegistered = registered === undefined ? null : isQualifiedInvoiceIssuer(number, payeeKind, registered, month)
  const canBeOne = number !== null && checkRegistrationNumber(number, payeeKind).verdict !== 'invalid'
  const isQualified = row.isQualifiedInvoiceIssuer && canBeOne && isRegistered !== false
  return {
    agreementId: row.id,
    mediumId,
    organizationId: row.organizationId,
    name: row.name,
    code: row.code,
    payeeKind,
    payeeResidence: row.payeeResidence,
    isRegistered,
    earningPublisherIds: new Set(booked.filter(each => each.isInForce).map(each => each.rule.publisherId)),
    foreignPublisherIds: booked.filter(each => each.isForeign).map(each => each.rule.publisherId),
    partnerName: row.partnerName,
    terms: {
      feePaidBy: row.feePaidBy,
      paymentTiming: row.paymentTiming,
      minimumRevenueType: row.minimumRevenueType,
      fixedRevenueYen: row.fixedRevenueYen,
      minimumRevenueYen: row.minimumRevenueYen,
      payoutThresholdYen: row.payoutThresholdYen,
    },
    terminatedOn: row.terminatedAt && dayAt(row.terminatedAt.getTime()),
    isPaymentDisabled: row.isPaymentDisabled,
    accounts: (accounts.get(row.id) ?? []).map(({ bankAccountId, usedFromMonth }) => ({
      bankAccountId,
      usedFromMonth: usedFromMonth as YearMonth,
    })),
    invoiceRegistrationNumber: number,
    qualifiedMonths: qualifiedMonthsOf(needed.get(row.id) ?? new Set(), month, {
      ...{ isQualified, isUnrecordedQualified: assumesQualificationOfToday && isQualified },
      recorded: qualified.get(row.id),
    }),
    rules: ofAgreement,
  }
}

interface Qualification {
  readonly isQualified: boolean
  readonly isUnrecordedQualified: boolean
  readonly recorded: ReadonlyMap<number, boolean> | undefined
}

/** A month without a record counts as not qualified; in the first version of the rules, it counts as the current one. */
function qualifiedMonthsOf(
  needed: ReadonlySet<YearMonth>,
  month: YearMonth,
  { isQualified, isUnrecordedQualified, recorded }: Qualification,
): readonly YearMonth[] {
  const earlier = [...needed].filter(each => each !== month && (recorded?.get(each) ?? isUnrecordedQualified))
  return [...earlier, ...(isQualified ? [month] : [])].toSorted((a, b) => a - b)
}

/** Months whose revenue may be paid with this one: what is carried, and what is corrected. */
function neededMonths(
  rules: ReadonlyMap<bigint, readonly BookedRule[]>,
  adjustments: readonly AdjustmentRow[],
): ReadonlyMap<bigint, ReadonlySet<YearMonth>> {
  const needed = new Map<bigint, Set<YearMonth>>()
  const note = (agreementId: bigint, month: YearMonth) => {
    const months = needed.get(agreementId) ?? new Set()
    needed.set(agreementId, months.add(month))
  }
  for (const [agreementId, list] of rules)
    for (const { rule } of list) for (const { generatedMonth } of rule.carried) note(agreementId, generatedMonth)
  for (const { agreementId, originMonth } of adjustments) if (originMonth !== null) note(agreementId, originMonth)
  return needed
}

async function readAccounts(tx: Transaction, { mediumId }: MonthKey) {
  return tx
    .selectFrom('agreementBankAccounts as u')
    .innerJoin('bankAccounts as b', 'b.id', 'u.bankAccountId')
    .innerJoin('agreements as a', 'a.id', 'u.agreementId')
    .select(['u.agreementId', 'u.bankAccountId', 'u.usedFromMonth'])
    .where('a.mediumId', '=', mediumId)
    .where('b.enabled', '=', true)
    .orderBy('u.agreementId')
    .orderBy('u.usedFromMonth')
    .execute()
}

/** Whether the payee was a qualified issuer, as finalised months recorded it, or else as opening balances say. */
async function readQualifiedMonths(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  needed: ReadonlyMap<bigint, ReadonlySet<YearMonth>>,
): Promise<ReadonlyMap<bigint, ReadonlyMap<number, boolean>>> {
  const months = [...new Set([...needed.values()].flatMap(each => [...each]))].filter(each => each < month)
  const byAgreement = new Map<bigint, Map<number, boolean>>()
  if (months.length === 0) return byAgreement
  for (const [agreementId, imported] of await readImportedQualifications(tx, { mediumId })) {
    byAgreement.set(agreementId, new Map(imported))
  }
  const rows = await tx
    .selectFrom('monthlyAgreementSnapshots')
    .select(['agreementId', 'month', 'qualifiedInvoiceIssuer'])
    .where('mediumId', '=', mediumId)
    .where('month', 'in', months)
    .where('hasBeenFinalized', '=', true)
    .execute()
  for (const row of rows) {
    const recorded = byAgreement.get(row.agreementId) ?? new Map<number, boolean>()
    byAgreement.set(row.agreementId, recorded.set(row.month, row.qualifiedInvoiceIssuer))
  }
  return byAgreement
}

/** What the register says of the numbers of the medium's agreements. */
export async function readRegister(tx: Transaction, { mediumId }: Pick<MonthKey, 'mediumId'>) {
  const rows = await tx
    .selectFrom('invoiceRegisterResults as r')
    .select(['r.registrationNumber', 'r.registeredOn', 'r.endedOn'])
    .where('r.registrationNumber', 'in', eb =>
      eb
        .selectFrom('agreements')
        .select('invoiceRegistrationNumber')
        .$castTo<{ invoiceRegistrationNumber: string }>()
        .where('mediumId', '=', mediumId)
        .where('invoiceRegistrationNumber', 'is not', null),
    )
    .execute()
  return Map.groupBy(
    rows.map(row => ({
      number: row.registrationNumber,
      registeredOn: row.registeredOn as Day,
      endedOn: row.endedOn as Day | null,
    })),
    row => row.number,
  )
}
