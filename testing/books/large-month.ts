import { daysInMonth } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { importFacts } from '../statistics/stats-rows.ts'
import type { SettlementBooks } from './settlement-books.ts'

/** The month that benchmarks measure. */
export const LARGE_MONTH = { mediumId: 1n, month: 202607 as YearMonth }

/** Writes agreements, rules, accounts and figures of every day. Nothing is booked or computed yet. */
export async function writeLargeMonth(database: Database, stats: StatsStore, agreements: number): Promise<void> {
  await database.inScope(
    SYSTEM,
    async tx => {
      await sql`insert into media values (1, 'bench')`.execute(tx)
      await sql`insert into organizations (id, name) overriding system value select n, 'org ' || n from generate_series(1, ${agreements}) n`.execute(
        tx,
      )
      await sql`insert into banks (id, code, name, kana, hira, roma) overriding system value values (1, '0001', 'b', 'b', 'b', 'b')`.execute(
        tx,
      )
      await sql`insert into bank_branches (id, bank_id, code, name, kana, hira, roma) overriding system value values (1, 1, '001', 'b', 'b', 'b', 'b')`.execute(
        tx,
      )
      await sql`insert into bank_accounts (id, organization_id, bank_id, bank_branch_id, type_name, number, holder, state, decided_at)
        overriding system value select n, n, 1, 1, 'ordinary', '1234567', 'A', 'approved', now() from generate_series(1, ${agreements}) n`.execute(
        tx,
      )
      await sql`insert into agreements (id, medium_id, organization_id, name, code, minimum_revenue_type, minimum_revenue_yen, fixed_revenue_yen)
        overriding system value select n, 1, n, 'agreement ' || n, 'C-' || n,
          (array['none', 'by_agreement', 'by_publisher'])[1 + n % 3], (n % 7) * 10000, (n % 5) * 1000 from generate_series(1, ${agreements}) n`.execute(
        tx,
      )
      await sql`insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month) select n, n, 202012 from generate_series(1, ${agreements}) n`.execute(
        tx,
      )
      await sql`insert into publishers (id, organization_id, name) overriding system value select n, 1 + (n - 1) / 5, 'p' || n from generate_series(1, ${agreements * 5}) n`.execute(
        tx,
      )
      await sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate, ssp_payment_rate, live_ssp_payment_rate,
          is_target_for_ssp_allocation, is_target_for_live_ssp_allocation, minimum_revenue_yen)
        select 1 + (n - 1) / 5, n, 1, 4000 + n % 3000, 3000 + n % 2000, 2500, n % 10 <> 0, n % 3 = 0, (n % 4) * 1000 from generate_series(1, ${agreements * 5}) n`.execute(
        tx,
      )
    },
    { statementTimeoutMs: 120_000 },
  )
  const days = Array.from(
    { length: daysInMonth(2026, 7) },
    (_, index) => `2026-07-${String(index + 1).padStart(2, '0')}`,
  )
  const rows = Array.from({ length: agreements * 5 }, (_, index) => index + 1).flatMap(id =>
    (id === 1 ? days : days.filter((_, index) => index % 8 === 0)).map(date => ({
      date,
      medium_id: 1n,
      publisher_id: BigInt(id),
      batch_no: 1n,
      follower: null,
      ...Object.fromEntries(FIGURES.map(name => [name, 0n])),
      article_click: BigInt(id % 1_000),
      live_watch: BigInt(id % 50),
      ads_revenue_micro_yen: BigInt(id) * 7_919_131n,
    })),
  )
  await importFacts(stats, 1n, { publisher_day: rows })
}

const FIGURES = [
  'article_impression',
  'article_watch',
  'video_impression',
  'video_click',
  'video_watch',
  'live_impression',
  'live_click',
  'ssp_revenue_micro_yen',
  'video_ssp_revenue_micro_yen',
  'live_ssp_revenue_micro_yen',
  'publisher_revenue_micro_yen',
] as const

export async function bookLargePools(books: SettlementBooks): Promise<void> {
  for (const kind of ['ssp', 'ssp_live'] as const) await bookPool(books, kind)
}

async function bookPool(books: SettlementBooks, kind: 'ssp' | 'ssp_live'): Promise<void> {
  const input = {
    ...LARGE_MONTH,
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
