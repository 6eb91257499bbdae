import type { ResultLayout } from '@pc/domain/bank/zengin-result.ts'
import {
  type BookAccount,
  type ChartOfAccounts,
  STANDARD_CHART_OF_ACCOUNTS,
} from '@pc/domain/journal/chart-of-accounts.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { TransferRules } from '@pc/domain/transfer/transfer.ts'
import type { TransferActionRefusal } from '@pc/domain/transfer/transfer-action-refusal.ts'
import type { TransferDestination, TransferFeeTable } from '@pc/domain/transfer/transfer-fee.ts'
import type { WithholdingTable } from '@pc/domain/transfer/withholding.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonthKey } from './month-key.ts'

/** The account that the money leaves and the platform's contract with its bank, in force on a day. */
export interface TransferSource {
  readonly clientCode: string
  readonly clientName: string
  readonly bankCode: string
  readonly bankName: string
  readonly branchCode: string
  readonly branchName: string
  readonly accountType: 'ordinary' | 'current' | 'other'
  readonly accountNumber: string
  readonly hasLineBreaks: boolean
  readonly extraCharacters: string
  /** The most that one record of its files may hold. */
  readonly transferLimitYen: bigint
}

/** The line in force in the month of the day. */
export async function readTransferSource(
  tx: Transaction,
  onDay: Day,
): Promise<Result<TransferSource, TransferActionRefusal>> {
  const row = await sourceRow(tx, monthOfDay(onDay))
  if (!row) return refused(refusal('transfer/source-missing'))
  return ok({
    clientCode: row.clientCode,
    clientName: row.clientName,
    bankCode: row.bankCode,
    bankName: row.bankName,
    branchCode: row.branchCode,
    branchName: row.branchName,
    accountType: row.accountType as TransferSource['accountType'],
    accountNumber: row.accountNumber,
    hasLineBreaks: row.hasLineBreaks,
    extraCharacters: row.extraCharacters,
    transferLimitYen: row.transferLimitYen,
  })
}

/** How the source bank marks outcomes in its answer. */
export async function readResultLayout(
  tx: Transaction,
  onDay: Day,
): Promise<Result<ResultLayout, TransferActionRefusal>> {
  const row = await sourceRow(tx, monthOfDay(onDay))
  if (!row || row.resultMarkOffset === null) return refused(refusal('transfer/result-layout-missing'))
  return ok({
    markOffset: row.resultMarkOffset,
    markLength: row.resultMarkLength!,
    paidMarks: row.resultPaidMarks!,
    returnedMarks: row.resultReturnedMarks!,
  })
}

const isSourceInForce = (month: YearMonth) => sql<boolean>`valid_from_month <= ${month}`

/** A subquery: 0 when {@link readTransferSource} would find none for a day of the month. */
export function transferSourceCount(month: YearMonth): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from transfer_sources where ${isSourceInForce(month)})`
}

/**
 * Kinds of transfers that the month's payments need and for which the source bank's price list has no line on their due
 * day. `s` is the source account in force on that day.
 */
export async function unknownPrices(
  tx: Transaction,
  { mediumId, month }: MonthKey,
): Promise<readonly { readonly bankCode: string; readonly destination: TransferDestination }[]> {
  const { rows } = await sql<{ bankCode: string; destination: TransferDestination }>`
    select distinct t.source_bank_code as bank_code, t.destination from (
      select p.due_on, s.bank_code as source_bank_code, case when b.code <> s.bank_code then 'other_bank'
        when r.code = s.branch_code then 'same_branch' else 'same_bank' end as destination
      from monthly_payments p
      join bank_accounts a on a.id = p.bank_account_id
      join banks b on b.id = a.bank_id
      join bank_branches r on r.id = a.bank_branch_id
      join lateral (select bank_code, branch_code from transfer_sources
        where valid_from_month <= extract(year from p.due_on) * 100 + extract(month from p.due_on)
        order by valid_from_month desc limit 1) s on true
      where p.medium_id = ${mediumId} and p.month = ${month} and p.payment_yen > 0) t
    where not exists (select from transfer_fees f
      where f.source_bank_code = t.source_bank_code and f.destination = t.destination and f.valid_from <= t.due_on)
    order by 1, 2`.execute(tx)
  return rows
}

/** A subquery: 0 when the bank of the source in force in the month has no price list. */
export function transferFeeCount(month: YearMonth): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from transfer_fees where source_bank_code =
    (select bank_code from transfer_sources where ${isSourceInForce(month)} order by valid_from_month desc limit 1))`
}

function sourceRow(tx: Transaction, month: YearMonth) {
  return tx
    .selectFrom('transferSources')
    .selectAll()
    .where(isSourceInForce(month))
    .orderBy('validFromMonth', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function readFeeTable(tx: Transaction): Promise<TransferFeeTable> {
  const rows = await tx.selectFrom('transferFees').selectAll().execute()
  return rows.map(row => ({
    sourceBankCode: row.sourceBankCode,
    destination: row.destination as TransferDestination,
    validFrom: row.validFrom as Day,
    fromAmountYen: row.fromAmountYen,
    feeYen: row.feeYen,
  }))
}

export async function readWithholdingTable(tx: Transaction): Promise<WithholdingTable> {
  const rows = await tx.selectFrom('withholdingRates').selectAll().execute()
  return rows.map(row => ({ ...row, validFrom: row.validFrom as Day }))
}

/** The rules by which statements plan their transfer; undefined when no source account is set for the day. */
export async function readTransferRules(
  tx: Transaction,
  onDay: Day,
): Promise<Pick<TransferRules, 'source' | 'feeTable' | 'withholdingTable' | 'limitYen'> | undefined> {
  const source = await readTransferSource(tx, onDay)
  if (!source.ok) return undefined
  return {
    source: source.value,
    feeTable: await readFeeTable(tx),
    withholdingTable: await readWithholdingTable(tx),
    limitYen: source.value.transferLimitYen,
  }
}

/** The names of the accounts in the platform's books, as they are in a month. */
export async function readChartOfAccounts(tx: Transaction, month: YearMonth): Promise<ChartOfAccounts> {
  const rows = await tx
    .selectFrom('journalAccounts')
    .selectAll()
    .where('validFromMonth', '<=', month)
    .orderBy('validFromMonth')
    .execute()
  const accounts = rows.map(({ account, validFromMonth: _from, ...parts }): [string, BookAccount] => [account, parts])
  return { ...STANDARD_CHART_OF_ACCOUNTS, ...Object.fromEntries(accounts) }
}

/** The consumption tax rate contained in a bank's fee on the day, in whole per cent. */
export async function readFeeTaxPercent(tx: Transaction, onDay: Day): Promise<number> {
  const row = await tx
    .selectFrom('consumptionTaxRates')
    .select('ratePercent')
    .where('validFromMonth', '<=', monthOfDay(onDay))
    .orderBy('validFromMonth', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.ratePercent ?? 0
}
