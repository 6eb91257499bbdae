import { addMonths, formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonthKey } from './month-key.ts'
import { readFirstDays } from './month-statistics.ts'

/** A subquery: how many months were closed, each medium counted on its own. */
export const CLOSED_MONTH_COUNT = sql<bigint>`(select count(*) from month_states where state in ('finalized', 'paid'))`

/**
 * The month after the last one that was closed, at most the current one. Before the first close it is the month with the
 * first statistics; without statistics it is the previous month, because only a month that is over can be closed. It reads
 * as SYSTEM, because the answer is the same for everybody.
 * Tested by `features/payments/month-close/server/close-rules.test.ts`.
 */
export async function firstOpenMonth(database: Database, stats: StatsStore, thisMonth: YearMonth): Promise<YearMonth> {
  const last = await database.inScope(SYSTEM, async tx => {
    const { rows } = await sql<{ month: YearMonth | null }>`select max(month) as month from month_closings`.execute(tx)
    return rows[0]?.month ?? null
  })
  if (last !== null) return Math.min(addMonths(last, 1), thisMonth) as YearMonth
  const [first] = [...(await readFirstDays(stats)).values()].map(({ ofAny }) => monthOfDay(ofAny)).toSorted()
  return Math.min(first ?? addMonths(thisMonth, -1), thisMonth) as YearMonth
}

/** A subquery: the month with which the books of a medium begin; null when none was closed yet. */
export function firstClosedMonth(mediumId: RawBuilder<unknown>): RawBuilder<YearMonth | null> {
  return sql<YearMonth | null>`(select min(c.month) from month_states c
    where c.medium_id = ${mediumId} and c.state in ('finalized', 'paid'))`
}

/**
 * Refuses a month before the books of the medium, which begin with its first closed month. Such a month can never be
 * closed, and its draft would block every later close. Undefined: the month is not before them.
 */
export async function beforeBooks(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  path: readonly string[] = [],
): Promise<Refusal<'payment/before-books'> | undefined> {
  const { rows } = await sql<{ first: YearMonth | null }>`
    select ${firstClosedMonth(sql`${mediumId}::bigint`)} as first`.execute(tx)
  const first = rows[0]?.first ?? null
  if (first === null || month >= first) return undefined
  return refusal('payment/before-books', path, { first: formatYearMonth(first) })
}
