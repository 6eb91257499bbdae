import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sql } from 'kysely'
import type { Transaction } from './database.ts'

/** First key of the advisory lock (arbitrary); the second is the medium. */
const MONTHS_OF_MEDIUM = 20_201_200

/**
 * Separates changes of terms, rates and accounts from finalising a month: writers of such data take the lock `shared`,
 * finalising takes it `exclusive`. Held until the transaction ends.
 */
export async function lockMonths(tx: Transaction, mediumId: bigint, mode: 'shared' | 'exclusive'): Promise<void> {
  const medium = Number(BigInt.asIntN(32, mediumId))
  if (mode === 'shared') await sql`select pg_advisory_xact_lock_shared(${MONTHS_OF_MEDIUM}, ${medium})`.execute(tx)
  else await sql`select pg_advisory_xact_lock(${MONTHS_OF_MEDIUM}, ${medium})`.execute(tx)
}

/** The last final month of a medium, read under the shared lock; null when none is final. */
async function lastFinalizedMonth(tx: Transaction, mediumId: bigint): Promise<YearMonth | null> {
  await lockMonths(tx, mediumId, 'shared')
  const row = await tx
    .selectFrom('monthClosings')
    .select(eb => eb.fn.max('month').as('month'))
    .where('mediumId', '=', mediumId)
    .executeTakeFirst()
  return (row?.month ?? null) as YearMonth | null
}

/** {@link lastFinalizedMonth} of several media, locked in ascending order, which avoids deadlocks. */
export async function lastFinalizedMonths(
  tx: Transaction,
  mediumIds: Iterable<bigint>,
): Promise<ReadonlyMap<bigint, YearMonth | null>> {
  const months = new Map<bigint, YearMonth | null>()
  for (const id of [...new Set(mediumIds)].toSorted((a, b) => (a < b ? -1 : 1)))
    months.set(id, await lastFinalizedMonth(tx, id))
  return months
}
