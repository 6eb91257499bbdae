import { createHash } from 'node:crypto'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type ContentKeys, findConflicts } from '../content-store.ts'
import { recogniseDataset } from '../dry-run/recognise-dataset.ts'
import type { ImportLock } from '../import-lock.ts'
import type { ImportRequest } from '../import-request.ts'
import type { IngestContext } from '../ingest-context.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import {
  type BatchRow,
  findLiveBatch,
  findLiveContent,
  findSuccessor,
  listKnownIds,
  listLiveBatches,
} from '../ingest-store.ts'
import { finishUnfinished } from '../publishing/finish-unfinished.ts'
import { checkColumnNames, csvHeader } from '../reading/csv-header.ts'
import { ReadingEngine } from '../reading/reading-engine.ts'
import { receiveSource, type Source } from '../reading/source-files.ts'
import { type ContentDataset, DATASET_COLUMNS, type Dataset, isContentDataset } from './dataset-columns.ts'
import { findOverlap, OVERLAPPING_DATASETS } from './find-overlap.ts'
import { type PreparedBatch, type PrepareOptions, prepareBatch } from './prepare-batch.ts'
import { keepReassignmentsWithFigures } from './publisher-reassignments.ts'
import { refuseTooGreatSums } from './refuse-too-great-sums.ts'

/** The checks before anything of a delivery is kept. An import and a dry run share them. */

/** A delivery that is complete on disk, with its dataset. */
export interface Delivery {
  readonly source: Source
  readonly dataset: Dataset
}

/** A delivery that was refused by its CSV header. The rest of it was not read. */
export interface RefusedHead {
  readonly dataset: Dataset
  /** Of the first bytes only: the ledger needs a name for the delivery, and its whole content is unknown. */
  readonly sha256: string
}

/**
 * Receives the delivery, waits for the import lock, and finishes batches that an interrupted import left behind. `work` runs
 * under the lock; the received files are deleted afterwards unless `work` kept them.
 * @param onRefusedHead called when the first bytes are refused, before the refusal is thrown
 */
export async function withDelivery<T>(
  context: IngestContext,
  request: ImportRequest,
  work: (delivery: Delivery, lock: ImportLock) => Promise<T>,
  onRefusedHead?: (head: RefusedHead, refusal: IngestRefusal) => Promise<void>,
): Promise<T> {
  checkBatchId(request.batchId)
  checkBatchId(request.replaces)
  const source = await receive(context, request, onRefusedHead)
  try {
    const { expectedSha256 = source.sha256 } = request
    if (source.sha256 !== expectedSha256) throw new Error(`the content ${expectedSha256} is now ${source.sha256}`)
    const dataset = request.dataset ?? (await recogniseDataset(context, source))
    request.onProgress?.({ step: 'wait' })
    return await context.withImportLock(async lock => {
      request.signal?.throwIfAborted()
      await finishUnfinished(context)
      return work({ source, dataset }, lock)
    })
  } finally {
    source.dispose()
  }
}

async function receive(
  context: IngestContext,
  { dataset, input, onProgress }: ImportRequest,
  onRefusedHead: Parameters<typeof withDelivery>[3],
): Promise<Source> {
  const refused: { head?: RefusedHead } = {}
  try {
    return await receiveSource(input, context, context.limits, {
      onBytes: bytes => onProgress?.({ step: 'receive', bytes }),
      checkHead(head, format) {
        if (format !== 'csv' || !dataset) return
        refused.head = { dataset, sha256: createHash('sha256').update(head).digest('hex') }
        checkColumnNames(csvHeader(head), DATASET_COLUMNS[dataset])
        delete refused.head
      },
    })
  } catch (error) {
    if (error instanceof IngestRefusal && refused.head) await onRefusedHead?.(refused.head, error)
    throw error
  }
}

export type Decision =
  | { readonly unchanged: BatchRow }
  | { readonly batchId: string; readonly predecessor: BatchRow | undefined }

/** Compares the delivery with the ledger: unchanged, a new batch, or a correction of `predecessor`. */
export async function decideRevision(
  context: IngestContext,
  request: ImportRequest,
  { dataset, source: { sha256 } }: Delivery,
): Promise<Decision> {
  const { replaces } = request
  const batchId = request.batchId ?? sha256
  return context.database.inScope(SYSTEM, async tx => {
    const live = await findLiveBatch(tx, dataset, batchId)
    if (live?.contentSha256 === sha256) return { unchanged: live }
    const sameContent = await findLiveContent(tx, dataset, sha256)
    // The same figures under another id would count twice. Titles may be delivered again under a new id, to restore them.
    const isReturn = isContentDataset(dataset) && request.batchId !== undefined
    if (sameContent && sameContent.batchId !== replaces && !isReturn) {
      if (request.batchId === undefined && replaces === undefined) return { unchanged: sameContent }
      throw new IngestRefusal('ingest/same-content', INGEST_MESSAGES.sameContent(sameContent.batchId))
    }
    if (replaces === undefined || replaces === batchId) {
      if (live === undefined && replaces !== undefined) throw unknownPredecessor(replaces)
      const successor = live || request.batchId !== undefined ? undefined : await findSuccessor(tx, dataset, batchId)
      if (successor) {
        const message = INGEST_MESSAGES.superseded(batchId, successor.batchId)
        throw new IngestRefusal('ingest/superseded', message, { otherBatchId: successor.batchId })
      }
      return { batchId, predecessor: live }
    }
    if (live) throw new IngestRefusal('ingest/batch-id', INGEST_MESSAGES.batchIdInUse(batchId))
    const predecessor = await findLiveBatch(tx, dataset, replaces)
    if (!predecessor) throw unknownPredecessor(replaces)
    return { batchId, predecessor }
  })
}

function unknownPredecessor(batchId: string): IngestRefusal {
  return new IngestRefusal('ingest/unknown-predecessor', INGEST_MESSAGES.unknownPredecessor(batchId))
}

/**
 * Reads and checks every row of the delivery, in files that a store loads.
 * @param predecessor the batch that it replaces, whose figures do not count
 */
export async function prepareDelivery(
  context: IngestContext,
  request: ImportRequest,
  { dataset, source }: Delivery,
  predecessor: BatchRow | undefined,
  options: Pick<PrepareOptions, 'batchNo' | 'inspect'>,
): Promise<PreparedBatch> {
  const { database, stats } = context
  const known = {
    ...(await database.inScope(SYSTEM, listKnownIds)),
    findConflicts: async (of: ContentDataset, keys: ContentKeys) =>
      keepReassignmentsWithFigures(stats, of, await database.inScope(SYSTEM, tx => findConflicts(tx, of, keys))),
  }
  const now = { today: today(context.clock), nowMs: context.clock.now() }
  const { quarantine, onProgress, signal } = request
  const progress = onProgress && ((share: number) => onProgress({ step: 'check', share }))
  return prepareBatch(
    dataset,
    source,
    {
      ...options,
      quarantine,
      accept: { now, known },
      confirm: (engine, prepared) => refuseContradictions(context, engine, dataset, prepared, predecessor),
      ...(progress ? { onProgress: progress } : {}),
      ...(signal ? { signal } : {}),
    },
    context,
  )
}

/** For a batch that was accepted earlier: other batches may have delivered the same days since. */
export async function checkAgainstVisible(
  context: IngestContext,
  { dataset, source: { workDir } }: CheckedDelivery,
  prepared: Prepared,
  predecessor: BatchRow | undefined,
): Promise<void> {
  const engine = await ReadingEngine.open(context.engine, [workDir], workDir)
  try {
    await refuseContradictions(context, engine, dataset, prepared, predecessor)
  } finally {
    engine.close()
  }
}

type CheckedDelivery = Pick<Delivery, 'dataset'> & { readonly source: Pick<Source, 'workDir'> }
type Prepared = Pick<PreparedBatch, 'facts' | 'firstDay' | 'lastDay'>

/** Refuses figures that a visible batch delivered already, and sums beyond `figure-limits.ts`. */
async function refuseContradictions(
  context: IngestContext,
  engine: ReadingEngine,
  dataset: Dataset,
  prepared: Prepared,
  predecessor: BatchRow | undefined,
): Promise<void> {
  if (prepared.facts.length === 0) return
  await refuseOverlap(context, engine, dataset, prepared, predecessor)
  await refuseTooGreatSums(context.stats, engine, prepared.facts, predecessor)
}

async function refuseOverlap(
  context: IngestContext,
  engine: ReadingEngine,
  dataset: Dataset,
  prepared: Prepared,
  predecessor: BatchRow | undefined,
): Promise<void> {
  const { firstDay: first, lastDay: last } = prepared
  if (isContentDataset(dataset) || first === null || last === null) return
  const live = await context.database.inScope(SYSTEM, tx =>
    listLiveBatches(tx, OVERLAPPING_DATASETS[dataset], first, last),
  )
  const others = live.filter(({ batchNo }) => batchNo !== predecessor?.batchNo)
  const overlap = await findOverlap(context.stats, engine, dataset, prepared.facts, others, { first, last })
  if (!overlap) return
  const other = others.find(({ batchNo }) => batchNo === overlap.batchNo)
  const otherBatchId = other?.batchId ?? ''
  throw new IngestRefusal('ingest/overlap', INGEST_MESSAGES.overlap(otherBatchId, overlap.example), { otherBatchId })
}

function checkBatchId(batchId: string | undefined): void {
  if (batchId !== undefined && !/^[\w.:/-]{1,200}$/.test(batchId)) {
    throw new IngestRefusal('ingest/batch-id', INGEST_MESSAGES.batchId)
  }
}
