import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { TRANSFER_STATE_LABELS } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { isExportRefused } from '@pc/domain/transfer/transfer-action-refusal.ts'
import { isTransferReason } from '@pc/domain/transfer/transfer-reason.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import { today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readBatch, type StoredBatch, type StoredRecord, writeBankFile } from '../../core/server/bank-file.ts'
import { movePayments } from '../../core/server/move-payments.ts'
import { MAX_REFUSALS } from './create-transfer-batch.ts'
import { recalledTransfersOf } from './recalled-payments.ts'
import { cancelRecords } from './record-split-results.ts'
import type { TransferActor } from './transfer-actor.ts'
import { batchFindings } from './transfer-law.ts'

export interface ExportedBatch {
  readonly id: bigint
  readonly sha256: string
  /** Records of the file. */
  readonly transfers: number
  readonly totalYen: bigint
  /** False when it had been exported before: nothing was changed. */
  readonly isFirst: boolean
}

/**
 * Writes a batch's file for the first time: stores its hash and marks its payments as exported. Repeated, it returns the
 * same file and changes nothing. Refused when its day is over, while the bank may still carry out a recalled transfer of
 * the same payment, and when a finding would make the transfers different today (`isExportRefused`).
 * Tested by `scenarios/transfers.test.ts`.
 */
export async function exportTransferBatch(
  tx: Transaction,
  { clock, actorUid }: TransferActor,
  id: bigint,
  { isLateAcknowledged = false }: { readonly isLateAcknowledged?: boolean | undefined } = {},
): Promise<Result<ExportedBatch, Refusal<RefusalCode>>> {
  const locked = await lockBatch(tx, id)
  if (!locked.ok) return locked
  const batch = locked.value
  const file = writeBankFile(batch)
  if (!file.ok) return file
  const { sha256 } = file.value
  const totalYen = sumBy(batch.records, record => record.amountYen)
  const exported = { id, sha256, totalYen, transfers: batch.records.length }
  if (batch.fileSha256 !== null) {
    if (batch.fileSha256 !== sha256) return refused(refusal('transfer/file-differs'))
    return ok({ ...exported, isFirst: false })
  }
  const wrong = batch.records.filter(record => record.state !== 'planned')
  if (wrong.length > 0) return refused(...wrong.slice(0, MAX_REFUSALS).map(stateRefusal))
  const { transferOn } = batch
  if (transferOn < today(clock)) return refused(refusal('transfer/day-over', ['id'], { transferOn }))
  const paymentIds = await paymentIdsOf(tx, id)
  const recalled = await recalledTransfersOf(tx, paymentIds, today(clock))
  if (recalled.length > 0) {
    return refused(
      ...recalled
        .slice(0, MAX_REFUSALS)
        .map(each => refusal('transfer/recalled-may-be-paid', ['id'], { id: `${each}` })),
    )
  }
  const unlawful = (await batchFindings(tx, id))
    .map(each => each.refusal)
    .filter(({ code }) => isExportRefused(code, isLateAcknowledged))
  if (unlawful.length > 0) return refused(...unlawful.slice(0, MAX_REFUSALS))
  const at = new Date(clock.now())
  await tx
    .updateTable('transferBatches')
    .set({ exportedAt: at, exportedByUid: actorUid, fileSha256: sha256 })
    .where('id', '=', id)
    .execute()
  await tx.updateTable('transfers').set({ state: 'exported', updatedAt: at }).where('batchId', '=', id).execute()
  // A trigger exports the records of the batch's own transfers. This exports records that send a returned one again,
  // whose transfers belong to other batches.
  await tx
    .updateTable('transferRecords')
    .set({ state: 'exported', updatedAt: at })
    .where('batchId', '=', id)
    .where('state', '=', 'planned')
    .execute()
  const moved = await movePayments(tx, paymentIds, 'export', {}, clock)
  return moved.ok ? ok({ ...exported, isFirst: true }) : moved
}

/** Cancels a batch whose file was never written. Its payments can go into another one. */
export async function cancelTransferBatch(
  tx: Transaction,
  parts: TransferActor,
  id: bigint,
  reason: string,
): Promise<Result<{ readonly id: bigint; readonly transfers: number }, Refusal<RefusalCode>>> {
  const notes = reason.trim()
  if (!isTransferReason(notes)) return refused(refusal('transfer/reason-missing', ['reason']))
  const locked = await lockBatch(tx, id)
  if (!locked.ok) return locked
  const { records } = locked.value
  const wrong = records.filter(record => record.state !== 'planned')
  if (wrong.length > 0) return refused(...wrong.slice(0, MAX_REFUSALS).map(stateRefusal))
  await tx.updateTable('transferBatches').set({ notes }).where('id', '=', id).execute()
  await tx
    .updateTable('transfers')
    .set({ state: 'cancelled', reason: notes, updatedAt: new Date(parts.clock.now()) })
    .where('batchId', '=', id)
    .execute()
  const cancelled = await cancelRecords(tx, parts, id, notes)
  return cancelled.ok ? ok({ id, transfers: records.length }) : cancelled
}

/** The file of an exported batch. The caller checks the right. */
export async function readExportedFile(
  tx: Transaction,
  id: bigint,
): Promise<
  Result<{ readonly bytes: Uint8Array; readonly sha256: string; readonly fileName: string }, Refusal<RefusalCode>>
> {
  const batch = await readBatch(tx, id)
  if (!batch) return refused(refusal('transfer/batch-not-found'))
  if (batch.fileSha256 === null) return refused(refusal('transfer/not-exported'))
  const file = writeBankFile(batch)
  if (!file.ok) return file
  if (file.value.sha256 !== batch.fileSha256) return refused(refusal('transfer/file-differs'))
  return ok({ ...file.value, fileName: bankFileName(id, batch.transferOn) })
}

function bankFileName(id: bigint, transferOn: Day): string {
  return `sogo-furikomi_${transferOn.replaceAll('-', '')}_${id}.txt`
}

async function lockBatch(tx: Transaction, id: bigint): Promise<Result<StoredBatch, Refusal<RefusalCode>>> {
  await tx.selectFrom('transferBatches').select('id').where('id', '=', id).forUpdate().execute()
  const batch = await readBatch(tx, id)
  return batch ? ok(batch) : refused(refusal('transfer/batch-not-found', ['id']))
}

function stateRefusal({ id, number, state }: StoredRecord): Refusal<RefusalCode> {
  return refusal('transfer/state-not-allowed', ['id'], {
    id: recordName(id, number),
    state: TRANSFER_STATE_LABELS[state],
  })
}

async function paymentIdsOf(tx: Transaction, batchId: bigint): Promise<readonly bigint[]> {
  const rows = await tx
    .selectFrom('transferPayments as x')
    .innerJoin('transfers as t', 't.id', 'x.transferId')
    .select('x.monthlyPaymentId as id')
    .where('t.batchId', '=', batchId)
    .execute()
  return rows.map(row => row.id)
}
