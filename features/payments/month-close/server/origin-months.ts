import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { OriginMonths } from '@pc/domain/payment/adjustment-csv.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { isAmongIds } from '@pc/platform/postgres/is-among.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'

/**
 * The months that a csv row of each agreement may name as its origin: finalised months with revenue, months of opening
 * balances, and months that the agreement still carries.
 * Tested by `scenarios/payments-with-returns.test.ts`.
 */
export async function readOriginMonths(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  agreementIds: readonly bigint[],
): Promise<OriginMonths> {
  const months = new Map<bigint, Set<YearMonth>>()
  if (agreementIds.length === 0) return months
  // In this order: months with revenue, months of opening balances, months carried by the last final month.
  const { rows } = await sql<{ agreementId: bigint; month: YearMonth }>`
    select p.agreement_id, p.month from monthly_payments p
    where p.medium_id = ${mediumId} and p.month < ${month} and p.has_been_finalized and p.revenue_yen > 0
      and ${isAmongIds(sql`p.agreement_id`, agreementIds)}
    union
    select o.agreement_id, o.origin_month from opening_balances o
    where o.origin_month < ${month} and ${isAmongIds(sql`o.agreement_id`, agreementIds)}
    union
    select p.agreement_id, b.generated_month from monthly_carried_buckets b
    join monthly_publisher_payments p on p.id = b.monthly_publisher_payment_id
    where b.medium_id = ${mediumId} and b.next_yen <> 0 and ${isAmongIds(sql`p.agreement_id`, agreementIds)}
      and b.month = (select max(q.month) from monthly_payments q
        where q.medium_id = ${mediumId} and q.month < ${month} and q.has_been_finalized)`.execute(tx)
  for (const row of rows) months.set(row.agreementId, (months.get(row.agreementId) ?? new Set()).add(row.month))
  return months
}

/**
 * Keeps opening balances of the agreements unchanged until the transaction ends. A change of them locks the
 * agreement's row first, which this shared lock prevents.
 */
export async function keepOpeningBalances(tx: Transaction, agreementIds: readonly bigint[]): Promise<void> {
  if (agreementIds.length === 0) return
  await sql`select from agreements where ${isAmongIds(sql`id`, agreementIds)} order by id for share`.execute(tx)
}
