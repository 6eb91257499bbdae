import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { checkAgainstVisible } from '../checking/check-delivery.ts'
import { FACT_DATASETS } from '../checking/dataset-columns.ts'
import type { IngestContext } from '../ingest-context.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { type BatchRow, findBatch, listBatches, markApplyingAgain, noteProblem } from '../ingest-store.ts'
import { clearWork } from '../reading/source-files.ts'
import { purgeUploads } from '../uploads/upload-files.ts'
import { completeBatch, isUnavailable } from './complete-batch.ts'
import { type FailedImport, type FinishReport, finishUnfinished } from './finish-unfinished.ts'
import { publishBatch, republishBatch, withAcceptedRows, withdrawBatch } from './publish-batch.ts'

export interface RedoReport extends FinishReport {
  /** Ids of batches whose rows in the statistics store did not match the ledger, and now do. */
  readonly repaired: readonly string[]
  /** Batches in the store without a ledger entry: one of the two databases was restored from an older backup. */
  readonly unknownBatchNos: readonly bigint[]
}

/**
 * Makes the store match the ledger again after a crash. The server calls it before it serves. An import that cannot be
 * completed, for example because its kept source is missing, does not block the start.
 * @throws StatsStoreError and errors of the database: then nothing can be served
 */
export async function redoUnfinishedImports(context: IngestContext): Promise<RedoReport> {
  return context.withImportLock(async () => {
    clearWork(context.workFolder, context.clock.now(), context.stats.engine === 'duckdb')
    await purgeUploads(context)
    const { finished, abandoned, failed } = await finishUnfinished(context)
    const again = await retryFailed(context, failed)
    const store = await repairStore(context)
    return {
      finished: [...finished, ...again.finished],
      abandoned,
      repaired: store.repaired,
      failed: [...failed, ...again.failed, ...store.failed],
      unknownBatchNos: store.unknownBatchNos,
    }
  })
}

/** Tries failed imports again at every start: an operator may have restored the kept source, or updated the software. */
async function retryFailed(
  context: IngestContext,
  justFailed: readonly FailedImport[],
): Promise<Pick<RedoReport, 'finished' | 'failed'>> {
  const { database } = context
  const batches = await database.inScope(SYSTEM, tx => listBatches(tx, ['failed']))
  const finished: string[] = []
  const failed: FailedImport[] = []
  for (const batch of batches) {
    if (justFailed.some(({ batchId }) => batchId === batch.batchId)) continue
    try {
      await withAcceptedRows(context, batch, async (accepted, source) => {
        const { replacesBatchNo } = batch
        const replaced =
          replacesBatchNo === null ? undefined : await database.inScope(SYSTEM, tx => findBatch(tx, replacesBatchNo))
        await checkAgainstVisible(context, { dataset: batch.dataset, source }, accepted, replaced)
        await database.inScope(SYSTEM, tx => markApplyingAgain(tx, batch))
        const failure = await completeBatch(context, batch, () => publishBatch(context, batch, accepted))
        if (failure) failed.push({ batchId: batch.batchId, error: failure.error })
        else finished.push(batch.batchId)
      })
    } catch (error) {
      if (isUnavailable(error)) throw error
      failed.push({ batchId: batch.batchId, error })
    }
  }
  return { finished, failed }
}

async function repairStore(
  context: IngestContext,
): Promise<Pick<RedoReport, 'repaired' | 'failed' | 'unknownBatchNos'>> {
  const { repairs, unknownBatchNos } = await findRepairs(context)
  const repaired: string[] = []
  const failed: FailedImport[] = []
  for (const batch of repairs) {
    const { batchNo, batchId } = batch
    const isShown = batch.state === 'applied'
    try {
      if (isShown) await republishBatch(context, batch)
      else await withdrawBatch(context, batch)
      if (isShown) await context.database.inScope(SYSTEM, tx => noteProblem(tx, batchNo, ''))
      repaired.push(batchId)
    } catch (error) {
      if (isUnavailable(error)) throw error
      await context.database.inScope(SYSTEM, tx => noteProblem(tx, batchNo, INGEST_MESSAGES.notCompleted))
      failed.push({ batchId, error })
    }
  }
  return { repaired, failed, unknownBatchNos }
}

/** Batches that the store and the ledger disagree about: `applied` ones without all rows, others that still have rows. */
export async function findRepairs(
  context: IngestContext,
): Promise<{ readonly repairs: readonly BatchRow[]; readonly unknownBatchNos: readonly bigint[] }> {
  const batches = await context.database.inScope(SYSTEM, tx =>
    listBatches(tx, ['applied', 'replaced', 'refused', 'failed'], FACT_DATASETS),
  )
  const stored = await context.stats.publishedBatches()
  const damaged = new Set(context.stats.wasClosedInOrder ? [] : await context.stats.damagedBatches())
  const isWhole = ({ batchNo, factRows }: BatchRow) => stored.get(batchNo) === factRows && !damaged.has(batchNo)
  const repairs = batches.filter(batch => (batch.state === 'applied' ? !isWhole(batch) : stored.has(batch.batchNo)))
  const known = new Set(batches.map(({ batchNo }) => batchNo))
  return { repairs, unknownBatchNos: [...stored.keys()].filter(batchNo => !known.has(batchNo)) }
}
