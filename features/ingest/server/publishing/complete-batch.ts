import { ObjectStoreError } from '@pc/platform/objects/object-store-error.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { duckDbError } from '@pc/platform/stats/duckdb-error.ts'
import { StatsStoreError } from '@pc/platform/stats/stats-store-error.ts'
import type { IngestContext } from '../ingest-context.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import {
  type BatchRow,
  findBatch,
  isSourceNeeded,
  listUnsettled,
  markFailed,
  markSettled,
  noteProblem,
} from '../ingest-store.ts'
import { KeptSourceError, removeKeptSource } from '../reading/source-files.ts'
import { republishBatch, withdrawBatch } from './publish-batch.ts'

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'ENOMEM'])

const isStoreError = (error: unknown) =>
  duckDbError(error) instanceof StatsStoreError || error instanceof ObjectStoreError

/** Whether the store or the machine is at fault and not the batch, so that a later attempt can succeed. */
export function isUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return isStoreError(error) || NO_ROOM.has(String(code))
}

/**
 * Publishes a batch that is `applying`. Two failures in a row while the store is available mean that it would always fail:
 * the batch becomes `failed`, so that it blocks neither other deliveries nor the start of the server.
 * @returns the error of the failure; undefined when the batch is visible
 */
export async function completeBatch(
  context: IngestContext,
  batch: BatchRow,
  publish: () => Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await publish()
      return undefined
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (attempt === 1 && !(error instanceof KeptSourceError)) continue
      const reason =
        error instanceof KeptSourceError ? INGEST_MESSAGES.notCompleted : INGEST_MESSAGES.notPublishable(batch.batchNo)
      await context.database.inScope(SYSTEM, tx => markFailed(tx, batch, reason))
      context.reportFailure?.(error, { batchId: batch.batchId })
      await settleStore(context)
      return { error }
    }
  }
}

/** Removes rows of failed and abandoned batches from the statistics store, and restores the rows that they replaced. */
export async function settleStore(context: IngestContext): Promise<void> {
  const { database, stats } = context
  const unsettled = await database.inScope(SYSTEM, listUnsettled)
  if (unsettled.length === 0) return
  const stored = await stats.publishedBatches()
  for (const batch of unsettled) {
    const { replacesBatchNo } = batch
    const replaced =
      replacesBatchNo === null ? undefined : await database.inScope(SYSTEM, tx => findBatch(tx, replacesBatchNo))
    try {
      if (stored.has(batch.batchNo)) await withdrawBatch(context, batch)
      if (replaced?.state === 'applied' && stored.get(replaced.batchNo) !== replaced.factRows)
        await republishBatch(context, replaced)
    } catch (error) {
      if (isUnavailable(error)) throw error
      context.reportFailure?.(error, { batchId: batch.batchId })
      if (replaced)
        await database.inScope(SYSTEM, tx => noteProblem(tx, replaced.batchNo, INGEST_MESSAGES.notCompleted))
    }
    const isNeeded = await database.inScope(SYSTEM, async tx => {
      await markSettled(tx, batch.batchNo)
      return isSourceNeeded(tx, batch.contentSha256)
    })
    if (!isNeeded) await removeKeptSource(batch.contentSha256, context)
  }
}
