import { recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import { bookRows } from './manual-operation-ledger.ts'

/**
 * A reset reverses every entry, also the system's corrections of closed months. What those months owe does not change by
 * that, so each correction is booked again in the same transaction.
 */
export async function rebookCorrections(
  tx: Transaction,
  { clock, months }: Pick<ManualOperationDependencies, 'clock' | 'months'>,
  { mediumId, month, dividendId }: MonthKey & { readonly dividendId: bigint },
): Promise<void> {
  const at = new Date(clock.now())
  for (const turnedBackId of await months.reversedCorrections(tx, dividendId)) {
    const { rows } = await sql<{ id: bigint; notes: string }>`
      insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month, notes,
        job_status, attempts, progress, created_at, started_at, completed_at)
      select operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month, notes, 'success', 1, 100,
        ${at}, ${at}, ${at} from dividends where id = ${turnedBackId} returning id, notes`.execute(tx)
    const { id, notes } = rows[0]!
    await sql`insert into dividend_rows (dividend_id, line, agreement_id, publisher_id, amount_yen, weight, reason, origin_month)
      select ${id}::bigint, line, agreement_id, publisher_id, amount_yen, weight, reason, origin_month
      from dividend_rows where dividend_id = ${turnedBackId}`.execute(tx)
    await bookRows(tx, { dividendId: id, mediumId, month, kind: 'csv', method: 'payment' })
    await months.correctionRebooked(tx, turnedBackId, id)
    await recordChange(tx, systemActor('late figures'), {
      action: 'create',
      resource: 'insight:dividend.',
      rowId: id,
      before: null,
      after: { mediumId, month, kind: 'csv', notes },
    })
  }
}
