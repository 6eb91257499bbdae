import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type FinalizeParts, finalizeMonth } from './finalize-month.ts'

/** Closes the month of several media in one transaction: all of them or none, with every reason against any of them. */
export async function finalizeOperation(
  tx: Transaction,
  parts: FinalizeParts,
  { month, mediumIds }: { readonly month: YearMonth; readonly mediumIds: readonly bigint[] | undefined },
  uid: string,
): Promise<Result<{ readonly mediumIds: readonly bigint[]; readonly isWhole: boolean }, Refusal<RefusalCode>>> {
  const open = await openMedia(tx, month)
  const chosen = mediumIds ?? open
  if (chosen.length === 0) return refused(refusal('payment/already-finalized'))
  const refusals: Refusal<RefusalCode>[] = []
  for (const mediumId of chosen.toSorted((a, b) => (a < b ? -1 : 1))) {
    const known = await tx.selectFrom('media').select('id').where('id', '=', mediumId).executeTakeFirst()
    if (!known) {
      refusals.push(refusal('payment/medium-unknown', ['mediumIds'], { mediumId: mediumId.toString() }))
      continue
    }
    const closed = await finalizeMonth(tx, parts, { mediumId, month }, uid)
    if (!closed.ok) refusals.push(...closed.refusals)
  }
  if (refusals.length > 0) return refused(...refusals)
  return ok({ mediumIds: chosen, isWhole: (await openMedia(tx, month)).length === 0 })
}

/** Media with agreements whose month is not closed yet. */
async function openMedia(tx: Transaction, month: YearMonth): Promise<readonly bigint[]> {
  const rows = await tx
    .selectFrom('agreements as a')
    .select('a.mediumId')
    .distinct()
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('monthClosings as c')
            .select('c.month')
            .whereRef('c.mediumId', '=', 'a.mediumId')
            .where('c.month', '=', month),
        ),
      ),
    )
    .orderBy('a.mediumId')
    .execute()
  return rows.map(row => row.mediumId)
}
