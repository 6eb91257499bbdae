import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { inScope } from '../../core/server/payment-store.ts'

/** What became of a final month's payments: yen with tax, before fee and withholding. */
export interface PayoutMonth {
  readonly month: YearMonth
  /** Payments above zero. */
  readonly payments: number
  readonly totalYen: bigint
  /** Not in a bank file yet. */
  readonly scheduledYen: bigint
  /** In a bank file, without a result. */
  readonly exportedYen: bigint
  readonly paidYen: bigint
  /** Came back from the bank and waits to be sent again. */
  readonly returnedYen: bigint
  /** Without tax: carried over to the next month, because it is held or too small. */
  readonly carriedYen: bigint
  /** The first due day of what is not paid; null: nothing is left to pay. */
  readonly dueOn: Day | null
  /** The last day on which the bank paid one of the payments; null: none is paid. */
  readonly paidOn: Day | null
}

/** The latest final months, the newest first. People of publishers see their own. */
export async function readPayoutMonths(
  tx: Transaction,
  permit: Permit<'read:list', 'insight:monthly_payment.'>,
  limit: number,
): Promise<readonly PayoutMonth[]> {
  const { rows } = await sql<Omit<PayoutMonth, 'payments'> & { readonly payments: bigint }>`
    select p.month, count(*) filter (where p.payment_yen > 0) as payments,
      sum(p.payment_including_tax_yen)::bigint as total_yen,
      coalesce(sum(p.payment_including_tax_yen) filter (where p.payment_status = 'scheduled'), 0)::bigint as scheduled_yen,
      coalesce(sum(p.payment_including_tax_yen) filter (where p.payment_status = 'exported'), 0)::bigint as exported_yen,
      coalesce(sum(p.payment_including_tax_yen) filter (where p.payment_status = 'paid'), 0)::bigint as paid_yen,
      coalesce(sum(p.payment_including_tax_yen) filter (where p.payment_status = 'returned'), 0)::bigint as returned_yen,
      sum(p.carried_over_to_next_yen)::bigint as carried_yen,
      min(p.due_on) filter (where p.payment_yen > 0 and p.payment_status in ('scheduled', 'exported', 'returned')) as due_on,
      max(p.paid_on) filter (where p.payment_status = 'paid') as paid_on
    from monthly_payments p
    where p.has_been_finalized and ${inScope(permit)}
    group by p.month order by p.month desc limit ${limit}`.execute(tx)
  return rows.map(row => ({ ...row, payments: Number(row.payments) }))
}
