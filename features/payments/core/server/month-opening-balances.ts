import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { OpeningBalance } from '@pc/domain/settlement/carry-invariants.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from './month-key.ts'

/** An opening balance as the month carries it: with the rule that it belongs to. */
export interface CountedOpening extends OpeningBalance {
  readonly ruleId: bigint
}

/**
 * The opening balances that count for the first time in this month: those booked after the last earlier month that has
 * payments. A balance that is booked in a month which is never settled counts in the next month that is.
 * Tested by `scenarios/opening-balances.test.ts`.
 */
export async function readCountedOpenings(
  tx: Transaction,
  { mediumId, month }: MonthKey,
): Promise<readonly CountedOpening[]> {
  const { rows } = await sql<CountedOpening>`
    select o.agreement_id, o.publisher_id, r.id as rule_id, o.origin_month, o.amount_yen
    from opening_balances o
    join agreements a on a.id = o.agreement_id
    join agreement_publisher_rules r on r.agreement_id = o.agreement_id and r.publisher_id = o.publisher_id
    where a.medium_id = ${mediumId} and o.booked_month <= ${month} and o.booked_month > coalesce(
      (select max(q.month) from monthly_payments q where q.medium_id = ${mediumId} and q.month < ${month}), 0)
    order by o.agreement_id, o.publisher_id, o.origin_month`.execute(tx)
  return rows
}

/** The sum of each agreement's opening balances that have counted up to this month, in yen. */
export async function readOpeningSums(
  tx: Transaction,
  { mediumId, month }: MonthKey,
): Promise<ReadonlyMap<bigint, bigint>> {
  const { rows } = await sql<{ agreementId: bigint; amountYen: bigint }>`
    select o.agreement_id, sum(o.amount_yen)::bigint as amount_yen
    from opening_balances o join agreements a on a.id = o.agreement_id
    where a.medium_id = ${mediumId} and o.booked_month <= ${month} group by o.agreement_id`.execute(tx)
  return new Map(rows.map(row => [row.agreementId, row.amountYen]))
}

/** Whether the payee was a qualified issuer in the months of opening balances, by agreement: the books have no other record. */
export async function readImportedQualifications(
  tx: Transaction,
  { mediumId }: Pick<MonthKey, 'mediumId'>,
): Promise<ReadonlyMap<bigint, ReadonlyMap<YearMonth, boolean>>> {
  const { rows } = await sql<{ agreementId: bigint; originMonth: YearMonth; isQualified: boolean }>`
    select distinct o.agreement_id, o.origin_month, o.is_qualified
    from opening_balances o join agreements a on a.id = o.agreement_id
    where a.medium_id = ${mediumId}`.execute(tx)
  const byAgreement = new Map<bigint, Map<YearMonth, boolean>>()
  for (const { agreementId, originMonth, isQualified } of rows) {
    const months = byAgreement.get(agreementId) ?? new Map<YearMonth, boolean>()
    byAgreement.set(agreementId, months.set(originMonth, isQualified))
  }
  return byAgreement
}
