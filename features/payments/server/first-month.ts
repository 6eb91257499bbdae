import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonthKey } from './month-key.ts'

/** The month with which the books of a medium begin; null: none was closed yet. */
export function firstClosedMonth(mediumId: RawBuilder<unknown>): RawBuilder<YearMonth | null> {
  return sql<YearMonth | null>`(select min(c.month) from month_states c
    where c.medium_id = ${mediumId} and c.state in ('finalized', 'paid'))`
}

/**
 * The books of a medium begin with the first month that was closed: a month before it can never be closed any more, and
 * its draft would stand in the way of every later one. Undefined when the month is not such a one.
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
