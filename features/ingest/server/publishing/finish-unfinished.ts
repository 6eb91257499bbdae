import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { IngestContext } from '../ingest-context.ts'
import { listBatches, markRefused } from '../ingest-store.ts'
import { completeBatch, settleStore } from './complete-batch.ts'
import { republishBatch } from './publish-batch.ts'
import { publishDimensionsIfPossible } from './publish-dimensions.ts'

export interface FinishReport {
  /** Batches that a killed process left half way and that are visible now. */
  readonly finished: readonly string[]
  /** Deliveries that were never acknowledged; their senders will repeat them. */
  readonly abandoned: readonly string[]
  /** Imports that could not be brought to an end: noted in the ledger, and tried again by the next start. */
  readonly failed: readonly FailedImport[]
}

export interface FailedImport {
  readonly batchId: string
  readonly error: unknown
}

/**
 * Inside a turn nobody else imports: what is unfinished was left by a process that is gone, or by a failed store. What
 * cannot be finished is failed afterwards, so that nobody waits for it.
 */
export async function finishUnfinished(context: IngestContext): Promise<FinishReport> {
  const { database } = context
  await settleStore(context)
  const unfinished = await database.inScope(SYSTEM, tx => listBatches(tx, ['received', 'applying']))
  const received = unfinished.filter(({ state }) => state === 'received')
  const finished: string[] = []
  const failed: FailedImport[] = []
  for (const batch of unfinished.filter(({ state }) => state === 'applying')) {
    const failure = await completeBatch(context, batch, () => republishBatch(context, batch))
    if (failure) failed.push({ batchId: batch.batchId, error: failure.error })
    else finished.push(batch.batchId)
  }
  if (received.length > 0) {
    await database.inScope(SYSTEM, async tx => {
      for (const { batchNo } of received) await markRefused(tx, batchNo, undefined)
    })
  }
  // After everything else: the contents of a delivery are there, also when its process ended before the store was told.
  await publishDimensionsIfPossible(context)
  return { finished, abandoned: received.map(({ batchId }) => batchId), failed }
}
