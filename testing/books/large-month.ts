import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { firstDayOf, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { TABLES } from '@pc/platform/stats/tables.ts'
import { sql } from 'kysely'
import { type SettlementBooks, writeStatementSettings, writeTransferFees } from './settlement-books.ts'

/** The first month of the large books. */
export const LARGE_MONTH = { mediumId: 1n, month: 202607 as YearMonth }

/** Writes agreements, rules, accounts and figures of every day. Nothing is booked or computed yet. */
export async function writeLargeMonth(database: Database, stats: StatsStore, agreements: number): Promise<void> {
  await database.inScope(SYSTEM, tx => insertBooks(tx, agreements), { statementTimeoutMs: 120_000 })
  await writeLargeFigures(stats, LARGE_MONTH.month, agreements)
}

/**
 * For each agreement: an organisation, an account and five publishers. Half of the payees bear the transfer fee, a
 * fifth is subject to withholding tax, and a tenth has a payout threshold that no month reaches.
 */
async function insertBooks(tx: Transaction, agreements: number): Promise<void> {
  await writeStatementSettings(tx)
  await writeTransferFees(tx)
  const numbers = sql`generate_series(1, ${agreements}::integer) n`
  const ofPublishers = sql`generate_series(1, ${agreements * PUBLISHERS_EACH}::integer) n`
  for (const statement of [
    sql`insert into media values (1, 'bench')`,
    sql`insert into organizations (id, name, postal_code, address) overriding system value
      select n, 'org ' || n, '100-0001', '東京都千代田区1-1-' || n from ${numbers}`,
    sql`insert into banks (id, code, name, kana, hira, roma) overriding system value values (1, '0001', 'b', 'b', 'b', 'b')`,
    sql`insert into bank_branches (id, bank_id, code, name, kana, hira, roma) overriding system value
      values (1, 1, '001', 'b', 'b', 'b', 'b')`,
    sql`insert into bank_accounts (id, organization_id, bank_id, bank_branch_id, type_name, number, holder, state, decided_at)
      overriding system value select n, n, 1, 1, 'ordinary', lpad(n::text, 7, '0'), 'A', 'approved', now() from ${numbers}`,
    sql`insert into agreements (id, medium_id, organization_id, name, code, minimum_revenue_type, minimum_revenue_yen,
        fixed_revenue_yen, fee_paid_by, payee_kind, payout_threshold_yen, tax_treatment_confirmed_at)
      overriding system value select n, 1, n, 'agreement ' || n, 'C-' || n,
        (array['none', 'by_agreement', 'by_publisher'])[1 + n % 3], (n % 7) * 10000, (n % 5) * 1000,
        (array['product', 'publisher'])[1 + n % 2], case when n % 5 = 0 then 'individual' else 'company' end,
        case when n % 10 = 0 then 1000000000 end, now()
      from ${numbers}`,
    sql`insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month) select n, n, 202012 from ${numbers}`,
    sql`insert into publishers (id, organization_id, name) overriding system value
      select n, 1 + (n - 1) / ${PUBLISHERS_EACH}::integer, 'p' || n from ${ofPublishers}`,
    sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate, ssp_payment_rate,
        live_ssp_payment_rate, is_target_for_ssp_allocation, is_target_for_live_ssp_allocation, minimum_revenue_yen)
      select 1 + (n - 1) / ${PUBLISHERS_EACH}::integer, n, 1, 4000 + n % 3000, 3000 + n % 2000, 2500, n % 10 <> 0, n % 3 = 0,
        (n % 4) * 1000 from ${ofPublishers}`,
  ])
    await statement.execute(tx)
}

const PUBLISHERS_EACH = 5

/** Imports figures of every publisher for every day of a month; the batch number is the month. */
export async function writeLargeFigures(stats: StatsStore, month: YearMonth, agreements: number): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-large-month-'))
  const run = await stats.beginImport({ batchNo: BigInt(month), replacesBatchNos: [], months: [month] })
  try {
    const file = path.join(folder, 'publisher_day.parquet')
    await writeFigures(file, month, agreements * PUBLISHERS_EACH)
    await run.load('publisher_day', file)
    await run.publish()
  } finally {
    await run.discard()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** DuckDB generates the file, because a month of ten thousand agreements has 1.5 million rows. */
async function writeFigures(file: string, month: YearMonth, publishers: number): Promise<void> {
  const values: Readonly<Record<string, string>> = {
    date: 'cast(day as date)',
    medium_id: String(LARGE_MONTH.mediumId),
    publisher_id: 'p',
    batch_no: String(month),
    follower: 'null',
    article_click: 'p % 1000',
    live_watch: 'p % 50',
    ads_revenue_micro_yen: 'p * 1021913 + day(day) * 7919',
  }
  const columns = TABLES.publisher_day.columns.map(
    ([name]) => `cast(${values[name] ?? '0'} as ${name === 'date' ? 'date' : 'bigint'}) as ${name}`,
  )
  const engine = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await engine.connect()
  try {
    await connection.run(`copy (select ${columns.join(', ')} from range(1, ${publishers + 1}) publishers (p),
      range(date '${firstDayOf(month)}', date '${lastDayOf(month)}' + 1, interval 1 day) days (day)) to '${file}' (format parquet)`)
  } finally {
    connection.closeSync()
    engine.closeSync()
  }
}

type PoolBooks = Pick<SettlementBooks, 'manualOperations' | 'userUid'>

export async function bookLargePools(books: PoolBooks, month = LARGE_MONTH.month): Promise<void> {
  for (const kind of ['ssp', 'ssp_live'] as const) await bookPool(books, kind, month)
}

async function bookPool(books: PoolBooks, kind: 'ssp' | 'ssp_live', month: YearMonth): Promise<void> {
  const input = {
    ...LARGE_MONTH,
    month,
    kind,
    method: 'payment',
    extraRevenueYen: 10_000_001n,
    extraRevenueMonth: '',
    notes: '',
  } as const
  const created = await books.manualOperations.database.inScope(SYSTEM, tx =>
    createManualOperation(tx, books.manualOperations, { input, rawRows: [], userUid: books.userUid }),
  )
  if (!created.ok) throw new Error(JSON.stringify(created.refusals))
  await runManualOperation(books.manualOperations, created.value)
}
