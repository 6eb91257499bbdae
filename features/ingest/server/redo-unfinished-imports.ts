import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { FACT_DATASETS } from './dataset-columns.ts'
import type { IngestContext } from './ingest-context.ts'
import { type BatchRow, listBatches, markRefused } from './ingest-store.ts'
import { republishBatch, withdrawBatch } from './publish-batch.ts'
import { publishDimensions } from './publish-dimensions.ts'
import { clearWork } from './source-files.ts'

export interface RedoReport {
  /** Batches that a killed process left half way and that are visible now. */
  readonly finished: readonly string[]
  /** Deliveries that were never acknowledged; their senders will repeat them. */
  readonly abandoned: readonly string[]
  /** Batches whose rows in the store were not those of the ledger, and are again. */
  readonly repaired: readonly string[]
  /** What the store holds without any line in the ledger: an operator restored one of them from an older copy. */
  readonly unknownBatchNos: readonly bigint[]
}

/**
 * Brings ledger and store together after whatever ended the last run. To be called before the system serves.
 * @throws Error when a batch cannot be completed from its kept source; serving would show wrong figures
 */
export async function redoUnfinishedImports(context: IngestContext): Promise<RedoReport> {
  return context.takeTurn(async () => {
    clearWork(context.folders, context.clock.now(), context.stats.engine === 'duckdb')
    const { finished, abandoned } = await finishUnfinished(context)
    const { repaired, unknownBatchNos } = await repairStore(context)
    return { finished, abandoned, repaired, unknownBatchNos }
  })
}

/** Inside a turn nobody else imports: what is unfinished was left by a process that is gone, or by a failed store. */
export async function finishUnfinished(context: IngestContext): Promise<Pick<RedoReport, 'finished' | 'abandoned'>> {
  const { database } = context
  const unfinished = await database.inScope(SYSTEM, tx => listBatches(tx, ['received', 'applying']))
  const applying = unfinished.filter(({ state }) => state === 'applying')
  const received = unfinished.filter(({ state }) => state === 'received')
  for (const batch of applying) await republishBatch(context, batch)
  if (received.length > 0) {
    await database.inScope(SYSTEM, async tx => {
      for (const { batchNo } of received) await markRefused(tx, batchNo, undefined)
    })
  }
  // After everything else: the contents of a delivery are there, also when its process ended before the store was told.
  await publishDimensions(context)
  return { finished: applying.map(({ batchId }) => batchId), abandoned: received.map(({ batchId }) => batchId) }
}

async function repairStore(context: IngestContext): Promise<Pick<RedoReport, 'repaired' | 'unknownBatchNos'>> {
  const batches = await context.database.inScope(SYSTEM, tx =>
    listBatches(tx, ['applied', 'replaced', 'refused'], FACT_DATASETS),
  )
  const stored = await context.stats.publishedBatches()
  const damaged = new Set(context.stats.wasClosedInOrder ? [] : await context.stats.damagedBatches())
  const isWhole = ({ batchNo, factRows }: BatchRow) => stored.get(batchNo) === factRows && !damaged.has(batchNo)
  const repaired: string[] = []
  for (const batch of batches) {
    const isLive = batch.state === 'applied'
    if (isLive ? isWhole(batch) : !stored.has(batch.batchNo)) continue
    if (isLive) await republishBatch(context, batch)
    else await withdrawBatch(context, batch)
    repaired.push(batch.batchId)
  }
  const known = new Set(batches.map(({ batchNo }) => batchNo))
  return { repaired, unknownBatchNos: [...stored.keys()].filter(batchNo => !known.has(batchNo)) }
}
