import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { SettingSection } from '@pc/domain/payment/setting-section.ts'
import type { RuleVersion } from '@pc/domain/settlement/settlement-input.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import type { Selectable } from 'kysely'

export interface DatedRate {
  readonly validFromMonth: YearMonth
  readonly percent: number
}
export interface HolidayState {
  readonly firstYear: number
  readonly lastYear: number
  readonly sourceName: string
  readonly importedAt: Date
  readonly days: readonly { readonly day: Day; readonly name: string }[]
}
export const PAYOUT_COLUMNS = [
  'validFromMonth',
  'payoutThresholdYen',
  'businessDayShift',
  'needsTwoPersons',
  'sspWeight',
  'videoSspWeight',
  'liveSspWeight',
  'taxPeriodStartMonth',
  'inputTaxTiming',
  'returnFeeYen',
] as const
export type PayoutSetting = Pick<Selectable<Tables['paymentSettings']>, (typeof PAYOUT_COLUMNS)[number]>
export type TransferFee = Selectable<Tables['transferFees']>
export type TransferSourceLine = Selectable<Tables['transferSources']>
export type WithholdingLine = Selectable<Tables['withholdingRates']>
export type JournalAccountLine = Selectable<Tables['journalAccounts']>

/** The first booking month in which returned transfers are lines of their own. */
export interface ReturnsRule {
  readonly firstMonth: YearMonth
  /** True when an upgrade has set the month and nobody has confirmed it yet. */
  readonly isProposed: boolean
}

export interface PaymentSettingState {
  readonly revisions: ReadonlyMap<SettingSection, number>
  /** The last month that is finalised for any medium; no setting may begin in or before it. Null: none is finalised. */
  readonly lastFinalizedMonth: YearMonth | null
  /** These lists are all sorted newest first. */
  readonly payout: readonly PayoutSetting[]
  readonly consumptionTax: readonly DatedRate[]
  readonly inputTaxDeductions: readonly DatedRate[]
  readonly transferFees: readonly TransferFee[]
  readonly transferSources: readonly TransferSourceLine[]
  readonly withholding: readonly WithholdingLine[]
  readonly journalAccounts: readonly JournalAccountLine[]
  readonly returnsRule: ReturnsRule
  /** Null when no calendar was imported. */
  readonly holidays: HolidayState | null
}

export async function readPaymentSettings(tx: Transaction): Promise<PaymentSettingState> {
  const revisions = await tx.selectFrom('paymentSettingRevisions').selectAll().execute()
  const taxes = await tx.selectFrom('consumptionTaxRates').selectAll().orderBy('validFromMonth', 'desc').execute()
  const deductions = await tx.selectFrom('inputTaxDeductions').selectAll().orderBy('validFromMonth', 'desc').execute()
  return {
    revisions: new Map(revisions.map(row => [row.section as SettingSection, row.revision])),
    lastFinalizedMonth: await lastFinalizedMonth(tx),
    payout: await tx.selectFrom('paymentSettings').select(PAYOUT_COLUMNS).orderBy('validFromMonth', 'desc').execute(),
    consumptionTax: taxes.map(row => ({ validFromMonth: row.validFromMonth as YearMonth, percent: row.ratePercent })),
    inputTaxDeductions: deductions.map(row => ({
      validFromMonth: row.validFromMonth as YearMonth,
      percent: row.deductiblePercent,
    })),
    transferFees: await tx
      .selectFrom('transferFees')
      .selectAll()
      .orderBy('sourceBankCode')
      .orderBy('validFrom', 'desc')
      .orderBy('destination')
      .orderBy('fromAmountYen')
      .execute(),
    transferSources: await tx.selectFrom('transferSources').selectAll().orderBy('validFromMonth', 'desc').execute(),
    withholding: await tx.selectFrom('withholdingRates').selectAll().orderBy('validFrom', 'desc').execute(),
    journalAccounts: await tx
      .selectFrom('journalAccounts')
      .selectAll()
      .orderBy('validFromMonth', 'desc')
      .orderBy('account')
      .execute(),
    returnsRule: await readReturnsRule(tx),
    holidays: await readHolidays(tx),
  }
}

/** The only version of the settlement rules whose first month people can move; migrations set that of later versions. */
export const RETURNS_VERSION: RuleVersion = 'returns_per_rate'

export async function readReturnsRule(tx: Transaction): Promise<ReturnsRule> {
  const row = await tx
    .selectFrom('settlementRules')
    .select(['validFromMonth', 'isProposed'])
    .where('version', '=', RETURNS_VERSION)
    .executeTakeFirstOrThrow()
  return { firstMonth: row.validFromMonth as YearMonth, isProposed: row.isProposed }
}

export async function lastFinalizedMonth(tx: Transaction): Promise<YearMonth | null> {
  const { month } = await tx
    .selectFrom('monthStates')
    .select(eb => eb.fn.max('month').as('month'))
    .where('state', 'in', ['finalized', 'paid'])
    .executeTakeFirstOrThrow()
  return month as YearMonth | null
}

async function readHolidays(tx: Transaction): Promise<HolidayState | null> {
  const known = await tx.selectFrom('holidayImports').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!known) return null
  const days = await tx.selectFrom('holidays').selectAll().orderBy('day').execute()
  return { ...known, days: days.map(row => ({ day: row.day as Day, name: row.name })) }
}

/** Locks a section until the transaction ends. @returns its revision */
export async function lockSection(tx: Transaction, section: SettingSection): Promise<number> {
  const { revision } = await tx
    .selectFrom('paymentSettingRevisions')
    .select('revision')
    .where('section', '=', section)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return revision
}

export async function raiseRevision(tx: Transaction, section: SettingSection, revision: number): Promise<void> {
  await tx.updateTable('paymentSettingRevisions').set({ revision }).where('section', '=', section).execute()
}
