import { writeZenginFile } from '@pc/domain/bank/zengin-record.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { transferFeeYen } from '@pc/domain/transfer/transfer-fee.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { zenginFileOf } from '../../core/server/bank-file.ts'
import { readFeeTable, readTransferSource } from '../../core/server/transfer-settings.ts'
import { type CreatedBatch, MAX_REFUSALS } from './create-transfer-batch.ts'
import { transferDayRefusal } from './plan-transfers.ts'
import { insertAgain, lockReturnedRecords } from './record-split-results.ts'
import { resentWarnings } from './transfer-law.ts'
import { readVanishedAccounts } from './transfer-rows.ts'

/**
 * Sends the returned records of a transfer again, in a bank file of their own: the same amounts to the same account,
 * where the rest of the transfer arrived. The payer bears the fees.
 * Tested by `scenarios/split-transfers.test.ts`.
 */
export async function resendRecords(
  tx: Transaction,
  { clock, actorUid }: { readonly clock: Clock; readonly actorUid: string },
  transferId: bigint,
  transferOn: Day,
  isLateAcknowledged = false,
): Promise<Result<CreatedBatch, Refusal<RefusalCode>>> {
  const records = await lockReturnedRecords(tx, transferId)
  if (records.length === 0)
    return refused(refusal('transfer/nothing-returned', ['transferId'], { id: `${transferId}` }))
  const wrongDay = await transferDayRefusal(tx, clock, transferOn)
  if (wrongDay) return refused(wrongDay)
  const found = await readTransferSource(tx, transferOn)
  if (!found.ok) return found
  const source = found.value
  const above = records.find(each => each.amountYen > source.transferLimitYen)
  if (above) {
    const data = { id: recordName(transferId, above.number), limitYen: `${source.transferLimitYen}` }
    return refused(refusal('transfer/record-above-limit', ['transferId'], data))
  }
  const transfer = await tx
    .selectFrom('transfers')
    .select(['id', 'partnerName', 'dueOn', 'bankCode', 'bankKana', 'branchCode', 'branchKana', 'accountType'])
    .select(['accountNumber', 'holder', 'bankAccountId', 'bankName', 'branchName'])
    .where('id', '=', transferId)
    .executeTakeFirstOrThrow()
  if ((await readVanishedAccounts(tx, [transfer.bankAccountId])).size > 0) {
    const data = { id: `${transferId}`, bank: transfer.bankName, branch: transfer.branchName }
    return refused(refusal('transfer/record-branch-gone', ['transferId'], data))
  }
  const feeTable = await readFeeTable(tx)
  const fees = records.map(each => transferFeeYen(feeTable, source, transfer, each.amountYen, transferOn))
  if (fees.includes(undefined)) {
    return refused(refusal('transfer/fee-unknown', [], { payee: transfer.partnerName, dueOn: transferOn }))
  }
  const warnings = await resentWarnings(tx, transferId, transferOn)
  const late = warnings.filter(each => each.refusal.code === 'transfer/late-by-law').map(each => each.refusal)
  if (late.length > 0 && !isLateAcknowledged) return refused(...late.slice(0, MAX_REFUSALS))
  const written = writeZenginFile(
    ...zenginFileOf(
      source,
      transferOn,
      records.map(each => ({ ...transfer, ...each })),
    ),
  )
  if (!written.ok) return written
  const { id } = await tx
    .insertInto('transferBatches')
    .values({
      ...source,
      kind: 'bank_file',
      transferOn,
      dueOn: transfer.dueOn,
      createdAt: new Date(clock.now()),
      createdByUid: actorUid,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const updatedAt = new Date(clock.now())
  await insertAgain(tx, id, records, (_record, index) => ({ feeYen: fees[index]! }), { updatedAt })
  return ok({
    id,
    transfers: records.length,
    payments: 0,
    totalYen: sumBy(records, each => each.amountYen),
    lateByLaw: late.length,
  })
}
