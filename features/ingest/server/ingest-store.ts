import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, sql, type Updateable } from 'kysely'
import { DATASETS, type Dataset } from './checking/dataset-columns.ts'
import { INGEST_MESSAGES } from './ingest-messages.ts'
import type { BadRow, IngestRefusal } from './ingest-refusal.ts'

/** The ledger: one row per revision of a batch. */
export type BatchState = 'received' | 'applying' | 'applied' | 'replaced' | 'refused' | 'failed'

export interface BatchRow {
  readonly batchNo: bigint
  readonly dataset: Dataset
  readonly batchId: string
  readonly revision: number
  readonly contentSha256: string
  readonly state: BatchState
  readonly replacesBatchNo: bigint | null
  readonly rowsTotal: bigint
  readonly rowsQuarantined: bigint
  readonly factRows: bigint
  readonly firstDay: Day | null
  readonly lastDay: Day | null
}

const INSERT_CHUNK = 1000

/** Selects only columns of the first version, because an upgrade reads the ledger before it migrates. */
function batches(tx: Transaction) {
  return tx
    .selectFrom('ingestBatches')
    .select([
      'batchNo',
      'dataset',
      'batchId',
      'revision',
      'contentSha256',
      'state',
      'replacesBatchNo',
      'rowsTotal',
      'rowsQuarantined',
      'factRows',
      'firstDay',
      'lastDay',
    ])
    .$narrowType<{ dataset: Dataset; state: BatchState }>()
}

/** The visible revision of a batch. Under the import lock no batch is `applying`, so there is no other candidate. */
export function findLiveBatch(tx: Transaction, dataset: Dataset, batchId: string): Promise<BatchRow | undefined> {
  return batches(tx)
    .where('dataset', '=', dataset)
    .where('batchId', '=', batchId)
    .where('state', '=', 'applied')
    .executeTakeFirst()
}

export function findLiveContent(tx: Transaction, dataset: Dataset, sha256: string): Promise<BatchRow | undefined> {
  return batches(tx)
    .where('dataset', '=', dataset)
    .where('contentSha256', '=', sha256)
    .where('state', '=', 'applied')
    .executeTakeFirst()
}

/** The visible batch that replaced the last replaced revision of `batchId`, directly or through several corrections. */
export async function findSuccessor(tx: Transaction, dataset: Dataset, batchId: string): Promise<BatchRow | undefined> {
  const replaced = await batches(tx)
    .where('dataset', '=', dataset)
    .where('batchId', '=', batchId)
    .where('state', '=', 'replaced')
    .orderBy('revision', 'desc')
    .executeTakeFirst()
  let at = replaced?.batchNo
  while (at !== undefined) {
    const next: BatchRow | undefined = await batches(tx)
      .where('replacesBatchNo', '=', at)
      .where('state', 'in', ['applied', 'replaced'])
      .executeTakeFirst()
    if (next === undefined || next.state === 'applied') return next
    at = next.batchNo
  }
  return undefined
}

export function findBatch(tx: Transaction, batchNo: bigint): Promise<BatchRow> {
  return batches(tx).where('batchNo', '=', batchNo).executeTakeFirstOrThrow()
}

/** The batch as a list of one; empty when there is none. */
export function listBatchesByNo(tx: Transaction, batchNo: bigint): Promise<BatchRow[]> {
  return batches(tx).where('batchNo', '=', batchNo).execute()
}

export function listBatches(
  tx: Transaction,
  states: readonly BatchState[],
  datasets: readonly Dataset[] = DATASETS,
): Promise<BatchRow[]> {
  return batches(tx).where('state', 'in', states).where('dataset', 'in', datasets).orderBy('batchNo').execute()
}

/** Visible batches of the datasets with any day from `from` to `to`. */
export function listLiveBatches(
  tx: Transaction,
  datasets: readonly Dataset[],
  from: Day,
  to: Day,
): Promise<BatchRow[]> {
  return batches(tx)
    .where('dataset', 'in', datasets)
    .where('state', '=', 'applied')
    .where('firstDay', '<=', to)
    .where('lastDay', '>=', from)
    .orderBy('batchNo')
    .execute()
}

/** SQL subquery: 1 when any batch of the datasets is visible, else 0. */
export function hasDelivery(datasets: readonly Dataset[] = DATASETS): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from (select from ingest_batches
    where state = 'applied' and dataset = any (${[...datasets]}::text[]) limit 1) b)`
}

export async function addReceivedBatch(
  tx: Transaction,
  batch: {
    readonly dataset: Dataset
    readonly batchId: string
    readonly sha256: string
    readonly sourceName: string
    /** Undefined: delivered by the operator or by a person on the screen. */
    readonly apiKeyId: bigint | undefined
    readonly deliveredByUid?: string | null | undefined
  },
  receivedAt: Date,
): Promise<bigint> {
  const { dataset, batchId, sha256: contentSha256, sourceName, apiKeyId = null, deliveredByUid = null } = batch
  const { last } = await tx
    .selectFrom('ingestBatches')
    .select(({ fn }) => fn.max<number | null>('revision').as('last'))
    .where('dataset', '=', dataset)
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow()
  const revision = (last ?? 0) + 1
  const { batchNo } = await tx
    .insertInto('ingestBatches')
    .values({
      dataset,
      batchId,
      revision,
      contentSha256,
      state: 'received',
      sourceName,
      receivedAt,
      apiKeyId,
      deliveredByUid,
    })
    .returning('batchNo')
    .executeTakeFirstOrThrow()
  return batchNo
}

export interface BatchContent {
  readonly rowsTotal: bigint
  readonly rowsQuarantined: bigint
  readonly factRows: bigint
  readonly firstDay: Day | null
  readonly lastDay: Day | null
  readonly mediumIds: readonly bigint[]
  readonly quarantined: readonly BadRow[]
}

/** Marks the batch as accepted. From here on it becomes visible, at the latest when the next import or start finishes it. */
export function markApplying(
  tx: Transaction,
  batchNo: bigint,
  replacesBatchNo: bigint | null,
  content: BatchContent,
): Promise<void> {
  return accept(tx, batchNo, replacesBatchNo, content, { state: 'applying' })
}

/** For articles and videos, whose rows are written in the same transaction: nothing is left to finish later. */
export function markAppliedAtOnce(
  tx: Transaction,
  batchNo: bigint,
  replacesBatchNo: bigint | null,
  content: BatchContent,
  appliedAt: Date,
): Promise<void> {
  return accept(tx, batchNo, replacesBatchNo, content, { state: 'applied', appliedAt })
}

async function accept(
  tx: Transaction,
  batchNo: bigint,
  replacesBatchNo: bigint | null,
  content: BatchContent,
  change: Updateable<Tables['ingestBatches']>,
): Promise<void> {
  if (replacesBatchNo !== null) await setState(tx, replacesBatchNo, 'applied', { state: 'replaced' })
  await giveUpFailedRevisions(tx, batchNo)
  const { quarantined, rowsTotal, rowsQuarantined, factRows, firstDay, lastDay } = content
  const counts = { rowsTotal, rowsQuarantined, factRows, firstDay, lastDay, mediumIds: [...content.mediumIds] }
  await setState(tx, batchNo, 'received', { ...change, replacesBatchNo, ...counts })
  await keepBadRows(tx, batchNo, quarantined)
}

/** Records how many articles or videos the batch moved to another publisher. */
export async function noteMoved(tx: Transaction, batchNo: bigint, movedRows: bigint): Promise<void> {
  await tx.updateTable('ingestBatches').set({ movedRows }).where('batchNo', '=', batchNo).execute()
}

async function keepBadRows(tx: Transaction, batchNo: bigint, bad: readonly BadRow[]): Promise<void> {
  for (let at = 0; at < bad.length; at += INSERT_CHUNK) {
    const rows = bad.slice(at, at + INSERT_CHUNK).map(({ line, column, message, sourceText, rowNo }) => ({
      batchNo,
      line: BigInt(line),
      columnName: column,
      reason: message,
      sourceText,
      rowNo,
    }))
    await tx.insertInto('ingestQuarantinedRows').values(rows).execute()
  }
}

export async function markApplied(tx: Transaction, batchNo: bigint, appliedAt: Date): Promise<void> {
  await setState(tx, batchNo, 'applying', { state: 'applied', appliedAt, refusedBecause: '' })
}

/** Records why an accepted batch is not visible as delivered. @param problem empty clears it */
export async function noteProblem(tx: Transaction, batchNo: bigint, problem: string): Promise<void> {
  await tx.updateTable('ingestBatches').set({ refusedBecause: problem }).where('batchNo', '=', batchNo).execute()
}

/** Marks failed earlier revisions of the same batch as refused: the correction replaces them. */
async function giveUpFailedRevisions(tx: Transaction, batchNo: bigint): Promise<void> {
  await sql`update ingest_batches b set state = 'refused', refused_because = ${INGEST_MESSAGES.replacedWhileFailed}
    from ingest_batches own where own.batch_no = ${batchNo} and b.batch_no < own.batch_no and b.state = 'failed'
      and b.dataset = own.dataset and b.batch_id = own.batch_id`.execute(tx)
}

/** Marks a batch that cannot be published. The batch that it was to replace becomes visible again. */
export async function markFailed(
  tx: Transaction,
  { batchNo, replacesBatchNo }: Pick<BatchRow, 'batchNo' | 'replacesBatchNo'>,
  reason: string,
): Promise<void> {
  await setState(tx, batchNo, 'applying', { state: 'failed', refusedBecause: reason, isUnsettled: true })
  if (replacesBatchNo !== null) await setState(tx, replacesBatchNo, 'replaced', { state: 'applied' })
}

/** Marks a failed batch for another attempt. @throws Error when the batch that it replaces is no longer visible */
export async function markApplyingAgain(tx: Transaction, { batchNo, replacesBatchNo }: BatchRow): Promise<void> {
  if (replacesBatchNo !== null) await setState(tx, replacesBatchNo, 'applied', { state: 'replaced' })
  await setState(tx, batchNo, 'failed', { state: 'applying' })
}

/** Marks a batch that a person gave up. @returns false when its state does not allow that */
export async function markAbandoned(tx: Transaction, batch: BatchRow, reason: string): Promise<boolean> {
  const { batchNo, state, replacesBatchNo } = batch
  if (!ABANDONABLE.some(one => one === state)) return false
  await setState(tx, batchNo, state, { state: 'refused', refusedBecause: reason, isUnsettled: true })
  if (state === 'applying' && replacesBatchNo !== null)
    await setState(tx, replacesBatchNo, 'replaced', { state: 'applied' })
  return true
}

const ABANDONABLE = ['received', 'applying', 'failed'] as const satisfies readonly BatchState[]

/** Failed and abandoned batches that the statistics store may still hold, or whose predecessor's rows it may lack. */
export function listUnsettled(tx: Transaction): Promise<BatchRow[]> {
  return batches(tx).where('isUnsettled', '=', true).orderBy('batchNo').execute()
}

export async function markSettled(tx: Transaction, batchNo: bigint): Promise<void> {
  await tx.updateTable('ingestBatches').set({ isUnsettled: false }).where('batchNo', '=', batchNo).execute()
}

/** Batches with this id, or this number, whose state allows to give them up. An id takes precedence over a number. */
export async function findAbandonable(tx: Transaction, named: string): Promise<BatchRow[]> {
  const open = batches(tx).where('state', 'in', ABANDONABLE)
  const byId = await open.where('batchId', '=', named).orderBy('batchNo').execute()
  if (byId.length > 0 || !/^[1-9]\d{0,17}$/.test(named)) return byId
  return open.where('batchNo', '=', BigInt(named)).execute()
}

/** Marks a received batch as refused. @param refusal undefined when its process died before the decision */
export async function markRefused(tx: Transaction, batchNo: bigint, refusal: IngestRefusal | undefined): Promise<void> {
  const reason = refusal ? { refusedBecause: refusal.message, refusedRows: BigInt(refusal.badRows) } : {}
  await setState(tx, batchNo, 'received', { state: 'refused', ...reason })
  if (!refusal) return
  await forgetRowsOfSameContent(tx, batchNo)
  await keepBadRows(tx, batchNo, refusal.keptRows)
}

/** Keeps the wrong rows only with the last refusal of the same content: a sender may repeat a wrong file every minute. */
async function forgetRowsOfSameContent(tx: Transaction, batchNo: bigint): Promise<void> {
  await sql`delete from ingest_quarantined_rows q using ingest_batches own, ingest_batches b
    where own.batch_no = ${batchNo} and q.batch_no = b.batch_no and b.batch_no < own.batch_no and b.state = 'refused'
      and b.dataset = own.dataset and b.content_sha256 = own.content_sha256`.execute(tx)
}

/** Numbers (from 0) of the rows that were quarantined when the batch was accepted. */
export async function listQuarantinedRowNos(tx: Transaction, batchNo: bigint): Promise<bigint[]> {
  const rows = await tx
    .selectFrom('ingestQuarantinedRows')
    .select('rowNo')
    .distinct()
    .where('batchNo', '=', batchNo)
    .where('rowNo', 'is not', null)
    .execute()
  return rows.flatMap(({ rowNo }) => (rowNo === null ? [] : [rowNo]))
}

/** Whether any batch that was not refused came from this content. */
export async function isSourceNeeded(tx: Transaction, sha256: string): Promise<boolean> {
  const row = await tx
    .selectFrom('ingestBatches')
    .select('batchNo')
    .where('contentSha256', '=', sha256)
    .where('state', '<>', 'refused')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function mediaOfBatch(tx: Transaction, batchNo: bigint): Promise<readonly bigint[]> {
  const row = await tx.selectFrom('ingestBatches').select('mediumIds').where('batchNo', '=', batchNo).executeTakeFirst()
  return row?.mediumIds ?? []
}

/** The subset of `months` that is finalised. */
export async function listFinalMonths(
  tx: Transaction,
  months: readonly { readonly mediumId: bigint; readonly month: YearMonth }[],
): Promise<{ mediumId: bigint; month: YearMonth }[]> {
  if (months.length === 0) return []
  const { rows } = await sql<{ mediumId: bigint; month: YearMonth }>`
    select c.medium_id, c.month from month_closings c
    join (select distinct * from unnest(${months.map(one => one.mediumId)}::bigint[], ${months.map(one => one.month)}::int[])
      as given (medium_id, month)) g on g.medium_id = c.medium_id and g.month = c.month
    order by c.month, c.medium_id`.execute(tx)
  return rows
}

export async function listKnownIds(tx: Transaction): Promise<{ media: bigint[]; publishers: bigint[] }> {
  const media = await tx.selectFrom('media').select('id').execute()
  const publishers = await tx.selectFrom('publishers').select('id').execute()
  return { media: media.map(({ id }) => id), publishers: publishers.map(({ id }) => id) }
}

async function setState(
  tx: Transaction,
  batchNo: bigint,
  from: BatchState,
  change: Updateable<Tables['ingestBatches']>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('ingestBatches')
    .set(change)
    .where('batchNo', '=', batchNo)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error(`batch ${batchNo} is no longer ${from}`)
}
