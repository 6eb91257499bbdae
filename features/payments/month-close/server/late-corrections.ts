import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'

/** The automatic corrections that a reset has reversed, in the order of their entry. */
export async function reversedCorrections(tx: Transaction, resetDividendId: bigint): Promise<readonly bigint[]> {
  const rows = await tx
    .selectFrom('lateCorrections as c')
    .innerJoin('dividends as d', 'd.id', 'c.dividendId')
    .select('c.dividendId')
    .where('d.reversedByDividendId', '=', resetDividendId)
    .orderBy('c.dividendId')
    .execute()
  return rows.map(row => row.dividendId)
}

/** Records the entry that replaces a reversed correction, with the origin month and data version of the reversed one. */
export async function correctionRebooked(tx: Transaction, turnedBackId: bigint, dividendId: bigint): Promise<void> {
  await sql`insert into late_corrections (dividend_id, medium_id, origin_month, data_version, created_at)
    select ${dividendId}::bigint, medium_id, origin_month, data_version, created_at
    from late_corrections where dividend_id = ${turnedBackId}`.execute(tx)
}

/**
 * Closed months of the medium with a correction (`c`) that was entered up to this month but is not booked: it failed,
 * also when it was withdrawn, or it was reversed. A later correction of the same month (`l`) that did not fail replaces
 * it, because it is computed from newer figures.
 */
export async function monthsOfUnbookedCorrections(
  tx: Transaction,
  { mediumId, month }: MonthKey,
): Promise<readonly YearMonth[]> {
  const { rows } = await sql<{ originMonth: YearMonth }>`
    select distinct c.origin_month from late_corrections c join dividends d on d.id = c.dividend_id
    where c.medium_id = ${mediumId} and d.month <= ${month}
      and (d.job_status = 'failed' or d.reversed_by_dividend_id is not null)
      and not exists (select from late_corrections l join dividends e on e.id = l.dividend_id
        where l.medium_id = c.medium_id and l.origin_month = c.origin_month and l.dividend_id > c.dividend_id
          and l.created_at >= c.created_at and e.job_status <> 'failed' and e.reversed_by_dividend_id is null)
    order by c.origin_month`.execute(tx)
  return rows.map(({ originMonth }) => originMonth)
}
