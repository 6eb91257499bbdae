import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import type { MonthKey } from '@pc/features/payments/core/server/month-key.ts'
import {
  type CommitOperation,
  type MonthOfMedia,
  prepareOperation,
} from '@pc/features/payments/month-close/server/finalize-media.ts'
import type { FinalizeDependencies } from '@pc/features/payments/month-close/server/finalize-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'

const CLOSE_TIMEOUT_MS = 60_000

interface Closing {
  readonly payments: FinalizeDependencies
  /** With statements as the application does it. Default: payments only. */
  readonly prepareOperation?: (operation: MonthOfMedia) => Promise<CommitOperation>
}

/**
 * Closes the month of a medium as the API does: prepares first, then one transaction, which is rolled back on a
 * refusal.
 */
export async function closeMonth(
  { payments, prepareOperation: prepare = operation => prepareOperation(payments, operation) }: Closing,
  { mediumId, month }: MonthKey,
  uid: string,
): Promise<Result<unknown, Refusal<RefusalCode>>> {
  const commit = await prepare({ month, mediumIds: [mediumId] })
  let closed: Awaited<ReturnType<CommitOperation>> | undefined
  const undone = new Error('refused')
  try {
    await payments.database.inScope(
      SYSTEM,
      async tx => {
        closed = await commit(tx, uid)
        if (!closed.ok) throw undone
      },
      { statementTimeoutMs: CLOSE_TIMEOUT_MS },
    )
  } catch (error) {
    if (error !== undone) throw error
  }
  return closed!
}
