import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { commitClose, type FinalizeDependencies } from './finalize-month.ts'
import { prepareClose } from './prepare-close.ts'
import type { PreparedClose } from './prepared-close.ts'

export interface MonthOfMedia {
  readonly month: YearMonth
  /** Undefined: every medium that is still open. */
  readonly mediumIds: readonly bigint[] | undefined
}
/** Closes the prepared months in the given transaction. `isWhole`: no medium of the month is left open. */
export type CommitOperation = (
  tx: Transaction,
  uid: string,
) => Promise<Result<{ readonly mediumIds: readonly bigint[]; readonly isWhole: boolean }, Refusal<RefusalCode>>>

/**
 * Prepares the close of a month for several media. Checks and hashes are made here, before the transaction; the returned
 * function closes all media in one transaction, or refuses with the reasons against any of them.
 */
export async function prepareOperation(parts: FinalizeDependencies, operation: MonthOfMedia): Promise<CommitOperation> {
  const { month } = operation
  const mediumIds = operation.mediumIds ?? (await parts.database.inScope(SYSTEM, tx => openMedia(tx, month)))
  const prepared = new Map<bigint, PreparedClose>()
  for (const mediumId of new Set(mediumIds)) prepared.set(mediumId, await prepareClose(parts, { mediumId, month }))
  return (tx, uid) => commitOperation(tx, parts, { ...operation, prepared }, uid)
}

async function commitOperation(
  tx: Transaction,
  parts: FinalizeDependencies,
  { month, mediumIds, prepared }: MonthOfMedia & { readonly prepared: ReadonlyMap<bigint, PreparedClose> },
  uid: string,
): ReturnType<CommitOperation> {
  const chosen = [...new Set(mediumIds ?? (await openMedia(tx, month)))]
  if (chosen.length === 0) return refused(refusal('payment/already-finalized'))
  const refusals: Refusal<RefusalCode>[] = []
  for (const mediumId of chosen.toSorted((a, b) => (a < b ? -1 : 1))) {
    const known = await tx.selectFrom('media').select('name').where('id', '=', mediumId).executeTakeFirst()
    const close = prepared.get(mediumId)
    // With several media, the medium's name tells refusals with the same text apart.
    const ofMedium = (reason: Refusal<RefusalCode>): Refusal<RefusalCode> =>
      known && chosen.length > 1 ? { ...reason, data: { ...reason.data, mediumName: known.name } } : reason
    if (!known) {
      refusals.push(refusal('payment/medium-unknown', ['mediumIds'], { mediumId: mediumId.toString() }))
    } else if (!close) {
      refusals.push(ofMedium(refusal('payment/changed-while-closing', [], { mediumId: mediumId.toString(), month })))
    } else {
      const closed = await commitClose(tx, parts, close, uid)
      if (!closed.ok) refusals.push(...closed.refusals.map(ofMedium))
    }
  }
  if (refusals.length > 0) return refused(...refusals)
  return ok({ mediumIds: chosen, isWhole: (await openMedia(tx, month)).length === 0 })
}

/** Media with agreements that have closed neither this month nor a later one. A later one means that their books begin after it. */
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
            .where('c.month', '>=', month),
        ),
      ),
    )
    .orderBy('a.mediumId')
    .execute()
  return rows.map(row => row.mediumId)
}
