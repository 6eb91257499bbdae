import { addMonths } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonthKey } from './month-key.ts'

/**
 * A version of a set of rows stays the same as long as none is added, changed or removed. It combines the `ctid` and
 * `xmin` of each row, so that thousands of rows are compared without being read. Another version may still have the same
 * content, when a change was taken back: the caller then compares the contents.
 */
type Part = readonly [table: string, which: RawBuilder<unknown>]

export interface MonthVersions {
  /** The version of every database row that the month is computed from. Statistics have their own (`readDataVersion`). */
  readonly books: string
  /** The version of every row of the month itself. */
  readonly rows: string
}

export async function readVersions(tx: Transaction, key: MonthKey): Promise<MonthVersions> {
  const { rows } = await sql<MonthVersions>`
    select (${versionOf(booksOf(key))}) as books, (${versionOf(rowsOf(key))}) as rows`.execute(tx)
  return rows[0]!
}

export async function readBooksVersion(tx: Transaction, key: MonthKey): Promise<string> {
  const { rows } = await sql<Pick<MonthVersions, 'books'>>`select (${versionOf(booksOf(key))}) as books`.execute(tx)
  return rows[0]!.books
}

/** The version of the rows of a finalised month and of the months before, to whose hashes it is chained. */
export async function readChainVersion(tx: Transaction, key: MonthKey): Promise<string> {
  const links: Part = ['month_states', sql`medium_id = ${key.mediumId} and month <= ${key.month}`]
  const { rows } = await sql<{ chain: string }>`select (${versionOf([...rowsOf(key), links])}) as chain`.execute(tx)
  return rows[0]!.chain
}

function booksOf({ mediumId, month }: MonthKey): readonly Part[] {
  const ofMedium = sql`agreement_id in (select a.id from agreements a where a.medium_id = ${mediumId})`
  const accounts = sql`select u.bank_account_id from agreement_bank_accounts u where u.${ofMedium}`
  const ofMonth = sql`medium_id = ${mediumId} and month = ${month}`
  return [
    ['payment_settings', sql`true`],
    ['settlement_rules', sql`true`],
    ['consumption_tax_rates', sql`true`],
    ['input_tax_deductions', sql`true`],
    ['holiday_imports', sql`true`],
    ['holidays', sql`true`],
    ['organizations', sql`id in (select a.organization_id from agreements a where a.medium_id = ${mediumId})`],
    ['agreements', sql`medium_id = ${mediumId}`],
    ['agreement_terms_versions', ofMedium],
    ['agreement_publisher_rules', ofMedium],
    [
      'agreement_publisher_rule_versions',
      sql`rule_id in (select r.id from agreement_publisher_rules r where r.${ofMedium})`,
    ],
    ['opening_balances', ofMedium],
    ['agreement_bank_accounts', ofMedium],
    ['bank_accounts', sql`id in (${accounts})`],
    [
      'invoice_register_results',
      sql`registration_number in (select a.invoice_registration_number from agreements a where a.medium_id = ${mediumId})`,
    ],
    ['dividends', ofMonth],
    // Earlier months: what they leave over, and which of them are final. Finalised rows themselves do not change.
    ['month_states', sql`medium_id = ${mediumId} and month < ${month}`],
    [
      'monthly_carried_buckets',
      sql`medium_id = ${mediumId} and month = (select max(q.month) from monthly_payments q
        where q.medium_id = ${mediumId} and q.month < ${month})`,
    ],
  ]
}

function rowsOf({ mediumId, month }: MonthKey): readonly Part[] {
  return [
    'monthly_agreement_snapshots',
    'monthly_snapshot_inputs',
    'monthly_payments',
    'monthly_publisher_payments',
    'monthly_rule_snapshots',
    'monthly_carried_buckets',
    'monthly_adjustments',
    'monthly_tax_lines',
    'monthly_paid_buckets',
    'monthly_pools',
    'dividend_ledger_lines',
  ].map(table => [table, sql`medium_id = ${mediumId} and month = ${month}`])
}

/** The version of what the rows of a month must agree with besides its books: the month before and its raw entries. */
export async function readAroundVersion(tx: Transaction, key: MonthKey): Promise<string> {
  const { rows } = await sql<{ around: string }>`select (${versionOf(aroundOf(key))}) as around`.execute(tx)
  return rows[0]!.around
}

function aroundOf({ mediumId, month }: MonthKey): readonly Part[] {
  const before = sql`medium_id = ${mediumId} and month = ${addMonths(month, -1)}`
  const ofEntries = sql`dividend_id in (select d.id from dividends d where d.medium_id = ${mediumId} and d.month = ${month})`
  return [
    ['month_states', sql`medium_id = ${mediumId} and month <> ${month}`],
    ['monthly_payments', sql`medium_id = ${mediumId} and month < ${month}`],
    ['monthly_publisher_payments', before],
    ['monthly_carried_buckets', before],
    ['dividend_rows', ofEntries],
    ['dividend_weights', ofEntries],
  ]
}

function versionOf(parts: readonly Part[]): RawBuilder<unknown> {
  const selects = parts.map(
    ([table, which]) => sql`select ${sql.lit(table)} as name, count(*) as rows,
      bit_xor(hashtidextended(ctid, xmin::text::bigint)) as versions from ${sql.raw(table)} where ${which}`,
  )
  return sql`select string_agg(name || ' ' || rows || ' ' || coalesce(versions, 0), ', ' order by name)
    from (${sql.join(selects, sql` union all `)}) x`
}

/**
 * Forbids nested-loop joins until the transaction ends, for transactions that read a whole month. Its rows were often
 * just written, so the planner has no statistics of them and would choose loops that take minutes.
 */
export async function joinWholeTables(tx: Transaction): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`.execute(tx)
}
