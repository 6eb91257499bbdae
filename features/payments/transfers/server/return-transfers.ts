import type { Day } from '@pc/domain/month/day.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { noteReturnFees, readReturningRecords } from '../../core/server/return-fees.ts'

/**
 * Marks transfers as returned, with the bank's fee. The caller checks that this is allowed, and changes their payments.
 * @returns the fees by transfer, of all of its records together
 */
export async function returnTransfers(
  tx: Transaction,
  clock: Clock,
  transferIds: readonly bigint[],
  returned: {
    readonly on: Day
    readonly reason: string
    readonly by: 'file' | 'hand'
    /** Undefined: the usual fee of the day. */
    readonly feeYen?: bigint | undefined
  },
): Promise<ReadonlyMap<bigint, bigint>> {
  if (transferIds.length === 0) return new Map()
  const { on, reason, by, feeYen } = returned
  const records = await readReturningRecords(tx, transferIds)
  await tx
    .updateTable('transfers')
    .set({ state: 'returned', returnedOn: on, reason, settledBy: by, updatedAt: new Date(clock.now()) })
    .where('id', 'in', transferIds)
    .execute()
  return noteReturnFees(tx, clock, records, { on, feeYen })
}
