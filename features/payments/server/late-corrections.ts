import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export async function correctionsTurnedBack(tx: Transaction, resetDividendId: bigint): Promise<readonly bigint[]> {
  const rows = await tx
    .selectFrom('lateCorrections as c')
    .innerJoin('dividends as d', 'd.id', 'c.dividendId')
    .select('c.dividendId')
    .where('d.reversedByDividendId', '=', resetDividendId)
    .orderBy('c.dividendId')
    .execute()
  return rows.map(row => row.dividendId)
}

/** The entry that takes the place of one that was turned back: of the same month, and from the same delivery. */
export async function correctionRebooked(tx: Transaction, turnedBackId: bigint, dividendId: bigint): Promise<void> {
  await sql`insert into late_corrections (dividend_id, medium_id, origin_month, data_version, created_at)
    select ${dividendId}::bigint, medium_id, origin_month, data_version, created_at
    from late_corrections where dividend_id = ${turnedBackId}`.execute(tx)
}
