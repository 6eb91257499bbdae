import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'

/**
 * Withdraws one failed entry. It has booked nothing, so nothing is reversed and no draft changes; it keeps its state and
 * no longer prevents the close. A correction of a closed month is entered again, because it is still owed.
 */
export async function withdrawManualOperation(
  tx: Transaction,
  { clock, months }: ManualOperationDependencies,
  id: bigint,
  uid: string,
): Promise<Result<void, Refusal<RefusalCode>>> {
  // The month is locked before the row, as everywhere; so its key is read without a lock first.
  const found = await tx.selectFrom('dividends').select(['mediumId', 'month']).where('id', '=', id).executeTakeFirst()
  if (!found) return refused(refusal('dividend/unknown', ['id']))
  const key = { mediumId: found.mediumId, month: found.month as YearMonth }
  const { isFinalized } = await months.lock(tx, key)
  if (isFinalized) return refused(refusal('dividend/month-finalized', ['id']))
  const row = await tx
    .selectFrom('dividends')
    .select(['jobStatus', 'kind', 'withdrawnAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (row.jobStatus !== 'failed' || row.withdrawnAt !== null) return refused(refusal('dividend/not-failed', ['id']))
  const at = new Date(clock.now())
  await tx.updateTable('dividends').set({ withdrawnAt: at, withdrawnByUid: uid }).where('id', '=', id).execute()
  await months.enterMissingCorrections(tx, key)
  await months.log(tx, { ...key, at, actorUid: uid, action: 'job_withdrawn', detail: `処理 ${id}（${row.kind}）` })
  return ok(undefined)
}
