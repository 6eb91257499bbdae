import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { IngestContext } from '../ingest-context.ts'
import { listBatches, markRefused } from '../ingest-store.ts'
import { completeBatch, settleStore } from './complete-batch.ts'
import { republishBatch } from './publish-batch.ts'
import { publishDimensionsIfPossible } from './publish-dimensions.ts'

export interface FinishReport {
  /** Ids of batches that an interrupted import had accepted and that are visible now. */
  readonly finished: readonly string[]
  /** Ids of deliveries that were never acknowledged, now refused; their senders will repeat them. */
  readonly abandoned: readonly string[]
  /** Imports that could not be completed: `failed` in the ledger, and tried again at the next start. */
  readonly failed: readonly FailedImport[]
}

export interface FailedImport {
  readonly batchId: string
  readonly error: unknown
}

/**
 * Completes unfinished batches. The caller holds the import lock, so they were left by a dead process or a failed store.
 * Those that cannot be completed become `failed`, so that nothing waits for them.
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
  // Contents may be in PostgreSQL although their process died before it told the statistics store.
  await publishDimensionsIfPossible(context)
  return { finished, abandoned: received.map(({ batchId }) => batchId), failed }
}
