import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from './month-key.ts'

/**
 * The books of a medium begin with the first month that was closed: a month before it can never be closed any more, and
 * its draft would stand in the way of every later one. Undefined when the month is not such a one.
 */
export async function beforeBooks(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  path: readonly string[] = [],
): Promise<Refusal<'payment/before-books'> | undefined> {
  const { first } = await tx
    .selectFrom('monthStates')
    .select(eb => eb.fn.min('month').as('first'))
    .where('mediumId', '=', mediumId)
    .where('state', 'in', ['finalized', 'paid'])
    .executeTakeFirstOrThrow()
  if (first === null || month >= first) return undefined
  return refusal('payment/before-books', path, { first: formatYearMonth(first as YearMonth) })
}
