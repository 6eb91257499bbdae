import fs from 'node:fs'
import path from 'node:path'
import type { OutdatedStatisticsFile } from '@pc/platform/stats/outdated-statistics-file.ts'
import { StatsStoreError } from '@pc/platform/stats/stats-store-error.ts'
import type { IngestContext } from '../ingest-context.ts'
import type { BatchRow } from '../ingest-store.ts'
import { isSourceKept, KeptSourceError } from '../reading/source-files.ts'
import { publishOtherFacts, republishBatch, withdrawBatch } from './publish-batch.ts'
import { findRepairs } from './redo-unfinished-imports.ts'

export interface RebuildReport {
  readonly built: number
  /** Ids of batches whose kept source could not be read, so that their rows were copied from the outdated store file. */
  readonly takenOver: readonly string[]
}

/** Missing sources that the error names; all of them are in the same folder. */
const MAX_LISTED_DELIVERIES = 5

/**
 * Fills the context's store with all batches that are visible by the ledger: from the kept sources, or from the outdated
 * store file where a source cannot be read. It changes nothing that the previous version uses, so that a downgrade stays
 * possible, and continues an interrupted rebuild.
 * @throws StatsStoreError that names the batches which neither has
 */
export async function rebuildStatistics(
  context: IngestContext,
  outdated: Pick<OutdatedStatisticsFile, 'countFacts' | 'exportFacts'>,
  onProgress: (done: number, total: number) => void,
): Promise<RebuildReport> {
  return context.withImportLock(async () => {
    const { repairs } = await findRepairs(context)
    await demandSources(context, outdated, repairs)
    const takenOver: string[] = []
    const lost: BatchRow[] = []
    for (const [done, batch] of repairs.entries()) {
      onProgress(done, repairs.length)
      if (batch.state !== 'applied') await withdrawBatch(context, batch)
      else if (await republish(context, batch)) continue
      else if (await takeOver(context, outdated, batch)) takenOver.push(batch.batchId)
      else lost.push(batch)
    }
    if (lost.length > 0) throw lostDeliveries(context, lost)
    onProgress(repairs.length, repairs.length)
    return { built: repairs.length, takenOver }
  })
}

/** Fails before hours of work when any batch is in neither place. */
async function demandSources(
  context: IngestContext,
  outdated: Pick<OutdatedStatisticsFile, 'countFacts'>,
  repairs: readonly BatchRow[],
): Promise<void> {
  const lost: BatchRow[] = []
  for (const batch of repairs) {
    if (batch.state !== 'applied' || (await isSourceKept(batch.contentSha256, context))) continue
    if ((await outdated.countFacts(batch.batchNo)) !== batch.factRows) lost.push(batch)
  }
  if (lost.length > 0) throw lostDeliveries(context, lost)
}

async function republish(context: IngestContext, batch: BatchRow): Promise<boolean> {
  try {
    await republishBatch(context, batch)
    return true
  } catch (error) {
    if (error instanceof KeptSourceError) return false
    throw error
  }
}

async function takeOver(
  context: IngestContext,
  outdated: Pick<OutdatedStatisticsFile, 'countFacts' | 'exportFacts'>,
  batch: BatchRow,
): Promise<boolean> {
  if ((await outdated.countFacts(batch.batchNo)) !== batch.factRows) return false
  const folder = fs.mkdtempSync(path.join(context.workFolder, 'outdated-'))
  try {
    await publishOtherFacts(context, batch, await outdated.exportFacts(batch.batchNo, folder))
    return true
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function lostDeliveries({ files }: IngestContext, lost: readonly BatchRow[]): StatsStoreError {
  const names = lost
    .slice(0, MAX_LISTED_DELIVERIES)
    .map(({ batchId, dataset, contentSha256 }) => `${dataset} ${batchId} (${contentSha256})`)
  const more = lost.length > MAX_LISTED_DELIVERIES ? ` and ${lost.length - MAX_LISTED_DELIVERIES} more` : ''
  return new StatsStoreError(
    'outdated',
    [
      `The statistics have to be built again for this version, but kept deliveries are missing or damaged: ${names.join(', ')}${more}.`,
      `Put these files back into ${files.place} (sources) from a backup and start again. Nothing was changed: the version before still starts.`,
    ].join('\n'),
  )
}
