import type { TaxTable } from '@pc/domain/money/consumption-tax.ts'
import type { BusinessDayShift } from '@pc/domain/month/due-date.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { DeductionTable } from '@pc/domain/settlement/deduction.ts'
import type {
  AdjustmentRow,
  PoolJobInput,
  RuleVersion,
  SettlementSettings,
} from '@pc/domain/settlement/settlement-input.ts'
import { ruleSettings } from '@pc/domain/settlement/settlement-rules.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { paymentSettingsOf } from '@pc/platform/postgres/payment-settings.ts'
import { type RawBuilder, sql } from 'kysely'
import { readHolidaysOfMonth } from './holiday-calendar.ts'
import { type BookedAgreement, readAgreements } from './month-agreements.ts'
import { readAdjustments, readPoolJobs } from './month-entries.ts'
import type { MonthKey } from './month-key.ts'
import { joinWholeTables, readBooksVersion } from './month-version.ts'

/** What the database contributes to a month; the own-ads amounts are still missing. */
export interface MonthBooks {
  readonly settings: SettlementSettings
  readonly needsTwoPersons: boolean
  /** 1 … 12 */
  readonly taxPeriodStartMonth: number
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
  readonly holidays: HolidayCalendar
  readonly agreements: readonly BookedAgreement[]
  readonly poolJobs: readonly PoolJobInput[]
  readonly adjustments: readonly AdjustmentRow[]
  readonly dataVersion: string
  /** Increases with every job and reset of the month. */
  readonly inputSeq: bigint
  /** Differs when any row that the month is computed from was touched; see {@link readBooksVersion}. */
  readonly booksVersion: string
}

/**
 * Reads all inputs of the month with several queries. Use a repeatable-read transaction, or compare the result with what
 * was read before.
 */
export async function readMonthBooks(tx: Transaction, key: MonthKey): Promise<MonthBooks> {
  await joinWholeTables(tx)
  const state = await tx
    .selectFrom('monthStates')
    .select('inputSeq')
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  const settings = await readSettings(tx, key.month)
  const adjustments = await readAdjustments(tx, key)
  return {
    ...settings,
    taxTable: (await tx.selectFrom('consumptionTaxRates').selectAll().orderBy('validFromMonth').execute()).map(row => ({
      validFromMonth: row.validFromMonth as YearMonth,
      ratePercent: row.ratePercent,
    })),
    deductionTable: (await tx.selectFrom('inputTaxDeductions').selectAll().orderBy('validFromMonth').execute()).map(
      row => ({ validFromMonth: row.validFromMonth as YearMonth, deductiblePercent: row.deductiblePercent }),
    ),
    holidays: await readHolidaysOfMonth(tx, key.month),
    agreements: await readAgreements(tx, key, { adjustments, settings: settings.settings }),
    poolJobs: await readPoolJobs(tx, key),
    adjustments,
    dataVersion: await readDataVersion(tx, key.month),
    inputSeq: state?.inputSeq ?? 0n,
    booksVersion: await readBooksVersion(tx, key),
  }
}

/** A subquery: 0 when `taxRatePercentOf` would find no rate for the month. */
export function taxRateCount(month: YearMonth): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from consumption_tax_rates where valid_from_month <= ${month})`
}

/**
 * A subquery: 0 until a person has saved the payout section for the first time, which also sets the start of the tax
 * periods. Revision 1 is the default that the database comes with.
 */
export const SAVED_PAYOUT_COUNT = sql<bigint>`(select count(*) from payment_setting_revisions
  where section = 'payout' and revision > 1)`

/** A hash of the batches with figures of the month: it changes when one is added, replaced or withdrawn. */
export async function readDataVersion(tx: Transaction, month: YearMonth): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select encode(sha256(convert_to(coalesce(string_agg(batch_no || ':' || content_sha256, ',' order by batch_no), ''), 'UTF8')), 'hex') as version
    from ingest_batches where state = 'applied'
      and first_day <= (make_date(${month} / 100, ${month} % 100, 1) + interval '1 month - 1 day')::date
      and last_day >= make_date(${month} / 100, ${month} % 100, 1)`.execute(tx)
  return rows[0]!.version
}

/** The payment settings in force in the month, and whether two persons are needed to close it. */
export async function readSettings(tx: Transaction, month: YearMonth) {
  const row = await paymentSettingsOf(tx, month)
    .select(sql<RuleVersion>`app.rule_version(${month})`.as('rules'))
    .executeTakeFirstOrThrow()
  return {
    settings: {
      payoutThresholdYen: row.payoutThresholdYen,
      businessDayShift: row.businessDayShift as BusinessDayShift,
      ...ruleSettings(row.rules),
    },
    needsTwoPersons: row.needsTwoPersons,
    taxPeriodStartMonth: row.taxPeriodStartMonth,
  }
}
