import { recordChange } from '@pc/platform/audit/record-change.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type Delivery, decideRevision, prepareDelivery, withDelivery } from './checking/check-delivery.ts'
import type { Dataset } from './checking/dataset-columns.ts'
import type { PreparedBatch } from './checking/prepare-batch.ts'
import type { ImportLock } from './import-lock.ts'
import type { ImportRequest } from './import-request.ts'
import type { IngestContext } from './ingest-context.ts'
import { INGEST_MESSAGES } from './ingest-messages.ts'
import { IngestRefusal, type RowError } from './ingest-refusal.ts'
import {
  addReceivedBatch,
  type BatchRow,
  findBatch,
  isSourceNeeded,
  markApplying,
  markRefused,
} from './ingest-store.ts'
import { completeBatch } from './publishing/complete-batch.ts'
import { countRows, publishBatch } from './publishing/publish-batch.ts'
import { publishContents } from './publishing/publish-contents.ts'
import { publishDimensionsIfPossible } from './publishing/publish-dimensions.ts'
import { removeKeptSource, type Source } from './reading/source-files.ts'

export type ImportOutcome =
  | {
      readonly kind: 'applied'
      readonly batch: BatchRow
      readonly replaced: BatchRow | undefined
      /** The first errors of the quarantined rows. */
      readonly quarantined: readonly RowError[]
    }
  /** The same content is visible already; nothing changed. */
  | { readonly kind: 'unchanged'; readonly batch: BatchRow }
  | { readonly kind: 'refused'; readonly refusal: IngestRefusal }

/**
 * Imports a delivery: keeps its source, checks every row, and makes all of it visible at once. When this resolves with
 * `applied`, the batch is visible exactly once. When the process dies earlier, the batch is invisible, or the next start
 * or import completes it.
 */
export async function importBatch(context: IngestContext, request: ImportRequest): Promise<ImportOutcome> {
  try {
    const importing = (delivery: Delivery, turn: ImportLock) => importDelivery(context, request, delivery, turn)
    return await withDelivery(context, request, importing, async ({ dataset, sha256 }, refusal) => {
      const batchNo = await register(context, request, { dataset, source: { sha256 } }, request.batchId ?? sha256)
      await context.database.inScope(SYSTEM, tx => markRefused(tx, batchNo, refusal))
    })
  } catch (error) {
    if (error instanceof IngestRefusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

async function importDelivery(
  context: IngestContext,
  request: ImportRequest,
  delivery: Delivery,
  turn: ImportLock,
): Promise<ImportOutcome> {
  const { database } = context
  const { source } = delivery
  const decided = await decideRevision(context, request, delivery)
  if ('unchanged' in decided) return { kind: 'unchanged', batch: decided.unchanged }
  const { predecessor, batchId } = decided
  await source.keep()
  const batchNo = await register(context, request, delivery, batchId)
  try {
    const prepared = await prepareDelivery(context, request, delivery, predecessor, { batchNo })
    await turn.assertHeld()
    const batch = await publish(context, request, prepared, batchNo, predecessor, source)
    if (!batch) return { kind: 'refused', refusal: notPublishable(batchNo) }
    const quarantined = prepared.quarantined.slice(0, context.limits.listedErrors)
    return { kind: 'applied', batch: { ...batch, state: 'applied' }, replaced: predecessor, quarantined }
  } catch (error) {
    if (!(error instanceof IngestRefusal)) throw error
    await database.inScope(SYSTEM, tx => markRefused(tx, batchNo, error))
    return forget(context, source, error)
  }
}

/** Adds the batch to the ledger as `received`, with its sender. `sourceName` is only for people, so it is cut, not refused. */
async function register(
  { database, clock }: IngestContext,
  { apiKeyId, deliveredBy, sourceName: name, quarantine }: ImportRequest,
  { dataset, source }: { readonly dataset: Dataset; readonly source: Pick<Source, 'sha256'> },
  batchId: string,
): Promise<bigint> {
  const sourceName = name.slice(0, 200)
  const batch = { dataset, batchId, sha256: source.sha256, sourceName, apiKeyId, deliveredByUid: deliveredBy?.uid }
  return database.inScope(SYSTEM, async tx => {
    const batchNo = await addReceivedBatch(tx, batch, new Date(clock.now()))
    if (deliveredBy) {
      const after = { dataset, batchId, sha256: source.sha256, sourceName, quarantine }
      const change = { action: 'import', resource: 'insight:ingest.', rowId: batchNo, before: null, after } as const
      await recordChange(tx, deliveredBy, change)
    }
    return batchNo
  })
}

/** @returns undefined when publication failed and the ledger holds the batch as `failed` */
async function publish(
  context: IngestContext,
  request: ImportRequest,
  prepared: PreparedBatch,
  batchNo: bigint,
  predecessor: BatchRow | undefined,
  source: Source,
): Promise<BatchRow | undefined> {
  const { database } = context
  const replaces = predecessor?.batchNo ?? null
  const content = { ...prepared, factRows: countRows(prepared) }
  const find = () => database.inScope(SYSTEM, tx => findBatch(tx, batchNo))
  if (prepared.contents) {
    request.onProgress?.({ step: 'publish' })
    await publishContents(context, source.workDir, { batchNo, replaces, content, file: prepared.contents })
    await publishDimensionsIfPossible(context, prepared.contents.dataset)
    return find()
  }
  await database.inScope(SYSTEM, tx => markApplying(tx, batchNo, replaces, content))
  const batch = await find()
  request.onProgress?.({ step: 'publish' })
  const failure = await completeBatch(context, batch, () => publishBatch(context, batch, prepared))
  return failure ? undefined : batch
}

function notPublishable(batchNo: bigint): IngestRefusal {
  return new IngestRefusal('ingest/not-publishable', INGEST_MESSAGES.notPublishable(batchNo))
}

/** Rethrows, after it has deleted the kept source of a refused delivery unless another batch came from the same content. */
async function forget(context: IngestContext, source: Source, error: unknown): Promise<never> {
  const isNeeded = await context.database.inScope(SYSTEM, tx => isSourceNeeded(tx, source.sha256))
  if (error instanceof IngestRefusal && !isNeeded) await removeKeptSource(source.sha256, context)
  throw error
}
