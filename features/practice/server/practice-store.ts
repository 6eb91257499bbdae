import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface PracticeSystem {
  readonly month: YearMonth
  readonly copiedAt: Date
}

/** The month that this system practises; undefined in a real system. */
export function readPracticeSystem(database: Database): Promise<PracticeSystem | undefined> {
  return database.inScope(SYSTEM, findPracticeSystem)
}

export async function findPracticeSystem(tx: Transaction): Promise<PracticeSystem | undefined> {
  const row = await tx.selectFrom('practiceSystem').select(['month', 'copiedAt']).executeTakeFirst()
  return row && { month: row.month as YearMonth, copiedAt: row.copiedAt }
}

/** `real…`: copied from the real close. `own…`: computed in this practice system. */
export interface PracticeMedium {
  readonly mediumId: bigint
  readonly mediumName: string
  readonly state: 'open' | 'computed' | 'finalized' | 'paid'
  /** Including tax. */
  readonly realYen: bigint
  readonly ownYen: bigint
  /** Number of publisher rows. */
  readonly rows: number
  readonly differentRows: number
}

export interface PracticeRow {
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly mediumName: string
  readonly partnerName: string
  readonly publisherName: string
  readonly realRevenueYen: bigint
  readonly ownRevenueYen: bigint
  readonly realPaymentYen: bigint
  readonly ownPaymentYen: bigint
  readonly isSame: boolean
  readonly hasLateFigures: boolean
}

/** A manual operation of the real month, kept as text to be typed in again. */
export interface PracticeEntry {
  readonly number: number
  readonly mediumId: bigint
  readonly mediumName: string
  readonly kind: 'ssp' | 'ssp_video' | 'ssp_live' | 'csv'
  readonly method: 'payment' | 'discard'
  readonly amountYen: bigint
  readonly extraRevenueMonth: YearMonth
  readonly notes: string
  readonly rowsCsv: string
}

/**
 * The common table `both_of`: every publisher's row of the real close (`real`) or the practice one (`own`), with both
 * amounts. Media whose month is not computed yet are left out, as they have nothing to compare.
 */
const compared = (month: number) => sql`
  with real as (
    select p.medium_id, p.agreement_id, r.publisher_id, p.partner_name, p.has_late_figures, r.revenue_yen, r.payment_yen
    from practice_publisher_payments r join practice_payments p on p.agreement_id = r.agreement_id
    where p.medium_id in (select medium_id from month_states where month = ${month} and state <> 'open')
  ), own as (
    select o.medium_id, o.agreement_id, o.publisher_id, s.partner_name, o.revenue_yen, o.payment_yen
    from monthly_publisher_payments o
      join monthly_agreement_snapshots s on s.agreement_id = o.agreement_id and s.month = o.month
    where o.month = ${month} and o.medium_id in (
      select medium_id from month_states where month = ${month} and state <> 'open')
      and o.medium_id in (select medium_id from practice_payments)
  ), both_of as (
    select coalesce(r.medium_id, o.medium_id) as medium_id, agreement_id, publisher_id,
      coalesce(r.partner_name, o.partner_name) as partner_name, coalesce(r.has_late_figures, false) as has_late_figures,
      coalesce(r.revenue_yen, 0) as real_revenue_yen, coalesce(o.revenue_yen, 0) as own_revenue_yen,
      coalesce(r.payment_yen, 0) as real_payment_yen, coalesce(o.payment_yen, 0) as own_payment_yen,
      (r.revenue_yen, r.payment_yen) is not distinct from (o.revenue_yen, o.payment_yen) as is_same
    from real r full join own o using (agreement_id, publisher_id)
  )`

/**
 * One page of the payments of both systems, different ones first, and the number of all (0 beyond the last page).
 * Tested by `apps/server/practice.test.ts`.
 */
export async function comparePractice(
  tx: Transaction,
  month: YearMonth,
  {
    onlyDifferent,
    limit,
    offset,
  }: { readonly onlyDifferent: boolean; readonly limit: number; readonly offset: number },
): Promise<{ readonly nodes: readonly PracticeRow[]; readonly total: number }> {
  const { rows } = await sql<PracticeRow & { readonly total: bigint }>`${compared(month)}
    select b.agreement_id, b.publisher_id, m.name as medium_name, b.partner_name, p.name as publisher_name,
      b.real_revenue_yen, b.own_revenue_yen, b.real_payment_yen, b.own_payment_yen, b.is_same, b.has_late_figures,
      count(*) over () as total
    from both_of b join media m on m.id = b.medium_id join publishers p on p.id = b.publisher_id
    where not (${onlyDifferent} and b.is_same)
    order by b.is_same, b.medium_id, b.partner_name, b.agreement_id, b.publisher_id
    limit ${limit} offset ${offset}`.execute(tx)
  return { nodes: rows, total: Number(rows[0]?.total ?? 0) }
}

/** The media of the copied payments, with both systems' sums in yen and the number of rows that differ. */
export async function readPracticeMedia(tx: Transaction, month: YearMonth): Promise<readonly PracticeMedium[]> {
  const { rows } = await sql<Omit<PracticeMedium, 'rows' | 'differentRows'> & { rows: bigint; differentRows: bigint }>`
    ${compared(month)}
    select m.id as medium_id, m.name as medium_name, coalesce(s.state, 'open') as state, real.yen as real_yen,
      coalesce((select sum(o.payment_including_tax_yen)::bigint from monthly_payments o
        where o.medium_id = m.id and o.month = ${month}), 0) as own_yen,
      (select count(*) from both_of b where b.medium_id = m.id) as rows,
      (select count(*) from both_of b where b.medium_id = m.id and not b.is_same) as different_rows
    from (select medium_id, sum(payment_including_tax_yen)::bigint as yen from practice_payments group by medium_id) real
      join media m on m.id = real.medium_id
      left join month_states s on s.medium_id = m.id and s.month = ${month}
    order by m.id`.execute(tx)
  return rows.map(row => ({ ...row, rows: Number(row.rows), differentRows: Number(row.differentRows) }))
}

/** The entries in the order of their numbers. */
export async function readPracticeEntries(tx: Transaction): Promise<readonly PracticeEntry[]> {
  const rows = await tx
    .selectFrom('practiceEntries as e')
    .innerJoin('media as m', 'm.id', 'e.mediumId')
    .selectAll('e')
    .select('m.name as mediumName')
    .orderBy('e.number')
    .execute()
  return rows.map(row => ({
    ...row,
    kind: row.kind as PracticeEntry['kind'],
    method: row.method as PracticeEntry['method'],
    amountYen: row.extraRevenueYen,
    extraRevenueMonth: row.extraRevenueMonth as YearMonth,
  }))
}
