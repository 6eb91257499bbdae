import { today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type ContentKey, findConflicts } from './content-store.ts'
import { type ContentDataset, type Dataset, isContentDataset } from './dataset-columns.ts'
import { keepMovesWithFigures } from './find-moves.ts'
import { findOverlap, OVERLAPPING_DATASETS } from './find-overlap.ts'
import type { Turn } from './import-turn.ts'
import type { IngestContext } from './ingest-context.ts'
import { INGEST_MESSAGES } from './ingest-messages.ts'
import { IngestRefusal, type RowError } from './ingest-refusal.ts'
import {
  addReceivedBatch,
  type BatchRow,
  findBatch,
  findLiveBatch,
  findLiveContent,
  findSuccessor,
  isSourceNeeded,
  listKnownIds,
  listLiveBatches,
  markApplying,
  markRefused,
} from './ingest-store.ts'
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts'
import { countRows, publishBatch } from './publish-batch.ts'
import { publishContents } from './publish-contents.ts'
import { publishDimensions } from './publish-dimensions.ts'
import { ReadingEngine } from './reading-engine.ts'
import { finishUnfinished } from './redo-unfinished-imports.ts'
import { receiveSource, removeKeptSource, type Source } from './source-files.ts'

export interface ImportRequest {
  readonly dataset: Dataset
  readonly input: AsyncIterable<Buffer>
  /** Default: the SHA-256 of the content. The same id with other content is a corrected revision. */
  readonly batchId?: string | undefined
  /** The batch whose place this one takes; for batches that are named by their content. */
  readonly replaces?: string | undefined
  /** Set wrong rows aside instead of refusing the batch. */
  readonly quarantine: boolean
  /** For people only. */
  readonly sourceName: string
  /** Of the sender; undefined on this machine. */
  readonly apiKeyId?: bigint | undefined
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

export type ImportProgress =
  | { readonly step: 'receive'; readonly bytes: number }
  | { readonly step: 'wait' | 'publish' }
  | { readonly step: 'check'; readonly share: number }

export type ImportOutcome =
  | {
      readonly kind: 'applied'
      readonly batch: BatchRow
      readonly replaced: BatchRow | undefined
      /** The first rows that were set aside. */
      readonly quarantined: readonly RowError[]
    }
  /** The same content is visible already; nothing changed. */
  | { readonly kind: 'unchanged'; readonly batch: BatchRow }
  | { readonly kind: 'refused'; readonly refusal: IngestRefusal }

/**
 * Takes a delivery in: keeps its source, checks every row, and makes it visible whole. When this resolves with
 * `applied`, the batch is there once, whatever happens afterwards; when the process dies before, the batch is not
 * visible, or the next start completes it.
 */
export async function importBatch(context: IngestContext, request: ImportRequest): Promise<ImportOutcome> {
  try {
    checkBatchId(request.batchId)
    checkBatchId(request.replaces)
    const source = await receiveSource(request.input, context.folders, context.limits, bytes =>
      request.onProgress?.({ step: 'receive', bytes }),
    )
    request.onProgress?.({ step: 'wait' })
    try {
      return await context.takeTurn(turn => importSource(context, request, source, turn))
    } finally {
      source.dispose()
    }
  } catch (error) {
    if (error instanceof IngestRefusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

async function importSource(
  context: IngestContext,
  request: ImportRequest,
  source: Source,
  turn: Turn,
): Promise<ImportOutcome> {
  const { database, clock } = context
  await finishUnfinished(context)
  const decided = await decide(context, request, source.sha256).catch(error => forget(context, source, error))
  if ('unchanged' in decided) return { kind: 'unchanged', batch: decided.unchanged }
  const { predecessor, batchId } = decided
  const batchNo = await database.inScope(SYSTEM, tx =>
    addReceivedBatch(
      tx,
      {
        ...{ dataset: request.dataset, batchId, sha256: source.sha256, apiKeyId: request.apiKeyId },
        sourceName: request.sourceName.slice(0, 200),
      },
      new Date(clock.now()),
    ),
  )
  try {
    const prepared = await prepare(context, request, source, batchNo)
    await refuseOverlap(context, request.dataset, prepared, predecessor, source)
    await turn.assertHeld()
    const batch = await publish(context, request, prepared, batchNo, predecessor, source)
    const quarantined = prepared.quarantined.slice(0, context.limits.listedErrors)
    return { kind: 'applied', batch: { ...batch, state: 'applied' }, replaced: predecessor, quarantined }
  } catch (error) {
    if (!(error instanceof IngestRefusal)) throw error
    await database.inScope(SYSTEM, tx => markRefused(tx, batchNo, error))
    return forget(context, source, error)
  }
}

async function publish(
  context: IngestContext,
  request: ImportRequest,
  prepared: PreparedBatch,
  batchNo: bigint,
  predecessor: BatchRow | undefined,
  source: Source,
): Promise<BatchRow> {
  const { database } = context
  const replaces = predecessor?.batchNo ?? null
  const content = { ...prepared, factRows: countRows(prepared) }
  const find = () => database.inScope(SYSTEM, tx => findBatch(tx, batchNo))
  if (prepared.contents) {
    request.onProgress?.({ step: 'publish' })
    await publishContents(context, source.workDir, { batchNo, replaces, content, file: prepared.contents })
    await publishDimensions(context, prepared.contents.dataset)
    return find()
  }
  await database.inScope(SYSTEM, tx => markApplying(tx, batchNo, replaces, content))
  const batch = await find()
  request.onProgress?.({ step: 'publish' })
  await publishBatch(context, batch, prepared)
  return batch
}

type Decision =
  | { readonly unchanged: BatchRow }
  | { readonly batchId: string; readonly predecessor: BatchRow | undefined }

/** What the delivery is to the ledger: nothing new, a new batch, or a correction. */
async function decide(context: IngestContext, request: ImportRequest, sha256: string): Promise<Decision> {
  const { dataset, replaces } = request
  const batchId = request.batchId ?? sha256
  return context.database.inScope(SYSTEM, async tx => {
    const live = await findLiveBatch(tx, dataset, batchId)
    if (live?.contentSha256 === sha256) return { unchanged: live }
    const sameContent = await findLiveContent(tx, dataset, sha256)
    // Figures would count twice; titles only return to what they were, when the sender gives the delivery a new name.
    const isReturn = isContentDataset(dataset) && request.batchId !== undefined
    if (sameContent && sameContent.batchId !== replaces && !isReturn) {
      if (request.batchId === undefined && replaces === undefined) return { unchanged: sameContent }
      throw new IngestRefusal('ingest/same-content', INGEST_MESSAGES.sameContent(sameContent.batchId))
    }
    if (replaces === undefined || replaces === batchId) {
      if (live === undefined && replaces !== undefined) throw unknownPredecessor(replaces)
      const successor = live || request.batchId !== undefined ? undefined : await findSuccessor(tx, dataset, batchId)
      if (successor) {
        throw new IngestRefusal('ingest/superseded', INGEST_MESSAGES.superseded(batchId, successor.batchId))
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

async function prepare(
  context: IngestContext,
  request: ImportRequest,
  source: Source,
  batchNo: bigint,
): Promise<PreparedBatch> {
  const { database, stats } = context
  const known = {
    ...(await database.inScope(SYSTEM, listKnownIds)),
    findConflicts: async (dataset: ContentDataset, keys: readonly ContentKey[]) =>
      keepMovesWithFigures(
        stats,
        dataset,
        keys,
        await database.inScope(SYSTEM, tx => findConflicts(tx, dataset, keys)),
      ),
  }
  const now = { today: today(context.clock), nowMs: context.clock.now() }
  const { quarantine, onProgress } = request
  const progress = onProgress && ((share: number) => onProgress({ step: 'check', share }))
  return prepareBatch(
    request.dataset,
    source,
    { batchNo, quarantine, accept: { now, known }, ...(progress ? { onProgress: progress } : {}) },
    context,
  )
}

async function refuseOverlap(
  context: IngestContext,
  dataset: Dataset,
  prepared: PreparedBatch,
  predecessor: BatchRow | undefined,
  source: Source,
): Promise<void> {
  const { firstDay: first, lastDay: last } = prepared
  if (isContentDataset(dataset) || first === null || last === null) return
  const live = await context.database.inScope(SYSTEM, tx =>
    listLiveBatches(tx, OVERLAPPING_DATASETS[dataset], first, last),
  )
  const others = live.filter(({ batchNo }) => batchNo !== predecessor?.batchNo)
  const engineOf = () => ReadingEngine.open(context.engine, [source.workDir], source.workDir)
  const overlap = await findOverlap(context.stats, engineOf, dataset, prepared.facts, others, { first, last })
  if (!overlap) return
  const other = others.find(({ batchNo }) => batchNo === overlap.batchNo)
  throw new IngestRefusal('ingest/overlap', INGEST_MESSAGES.overlap(other?.batchId ?? '', overlap.example))
}

/** A refused delivery leaves its line in the ledger, not its file. */
async function forget(context: IngestContext, source: Source, error: unknown): Promise<never> {
  const isNeeded = await context.database.inScope(SYSTEM, tx => isSourceNeeded(tx, source.sha256))
  if (error instanceof IngestRefusal && !isNeeded) removeKeptSource(source.sha256, context.folders)
  throw error
}

function checkBatchId(batchId: string | undefined): void {
  if (batchId !== undefined && !/^[\w.:/-]{1,200}$/.test(batchId)) {
    throw new IngestRefusal('ingest/batch-id', INGEST_MESSAGES.batchId)
  }
}
