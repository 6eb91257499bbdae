import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { parseZenginFile, type ReadTransfer, type ReadZenginRefusal } from './zengin-record.ts'

/**
 * What the bank says became of the transfers. **There is no common layout for this.** The Association's standard defines
 * the transfer file, the credit notice (振込入金通知, 200 bytes) and the account statement (入出金取引明細, 200 bytes), but
 * no answer to a 総合振込: banks that answer in a file return the 120-byte file with a mark of their own in the bytes that
 * the standard leaves empty, and a returned transfer (組戻し) usually shows only as money coming back on the account
 * statement. So the place and the values of the mark are a setting of the source bank, taken from that bank's own
 * document, and returned transfers may always be entered by hand. Nothing is guessed: a record whose mark is not in the
 * setting is `unknown`, and nobody's payment changes its state.
 */
export interface ResultLayout {
  /** Position of the mark within the seven bytes at the end of a data record, from 0. */
  readonly markOffset: number
  readonly markLength: number
  readonly paidMarks: readonly string[]
  readonly returnedMarks: readonly string[]
}

export interface TransferOutcome {
  readonly transferNumber: bigint
  readonly outcome: 'paid' | 'returned' | 'unknown'
  readonly mark: string
}

/** A transfer of ours that was exported and waits for its result. */
export interface ExportedTransfer {
  readonly transferNumber: bigint
  readonly bankCode: string
  readonly branchCode: string
  readonly accountNumber: string
  readonly amountYen: bigint
}

export type TransferResultRefusal =
  | ReadZenginRefusal
  | Refusal<
      | 'bank/result-transfer-unknown'
      | 'bank/result-transfer-twice'
      | 'bank/result-amount-differs'
      | 'bank/result-account-differs'
    >

export interface TransferResult {
  readonly outcomes: readonly TransferOutcome[]
  /** Exported transfers that the file says nothing about. */
  readonly missing: readonly bigint[]
}

/**
 * Reads a result file against the transfers that were exported. Any record that does not fit its transfer in number,
 * amount and account refuses the whole file: it belongs to something else.
 */
export function readTransferResult(
  text: string,
  layout: ResultLayout,
  exported: readonly ExportedTransfer[],
): Result<TransferResult, TransferResultRefusal> {
  const file = parseZenginFile(text)
  if (!file.ok) return file
  const byNumber = new Map(exported.map(transfer => [transfer.transferNumber, transfer]))
  const seen = new Set<bigint>()
  const refusals: TransferResultRefusal[] = []
  const outcomes = file.value.transfers.map((record): TransferOutcome => {
    const data = { transferNumber: record.transferNumber.toString() }
    const transfer = byNumber.get(record.transferNumber)
    if (!transfer) refusals.push(refusal('bank/result-transfer-unknown', [], data))
    else if (transfer.amountYen !== record.amountYen) refusals.push(refusal('bank/result-amount-differs', [], data))
    else if (!isSameAccount(transfer, record)) refusals.push(refusal('bank/result-account-differs', [], data))
    if (seen.has(record.transferNumber)) refusals.push(refusal('bank/result-transfer-twice', [], data))
    seen.add(record.transferNumber)
    const mark = record.reserved.padEnd(7).slice(layout.markOffset, layout.markOffset + layout.markLength)
    return { transferNumber: record.transferNumber, outcome: outcomeOf(mark, layout), mark }
  })
  if (refusals.length > 0) return refused(...refusals)
  const missing = exported.map(transfer => transfer.transferNumber).filter(number => !seen.has(number))
  return ok({ outcomes, missing })
}

function outcomeOf(mark: string, layout: ResultLayout): TransferOutcome['outcome'] {
  if (layout.paidMarks.includes(mark)) return 'paid'
  return layout.returnedMarks.includes(mark) ? 'returned' : 'unknown'
}

function isSameAccount(transfer: ExportedTransfer, record: ReadTransfer): boolean {
  return (
    transfer.bankCode === record.bankCode &&
    transfer.branchCode === record.branchCode &&
    transfer.accountNumber.padStart(7, '0') === record.accountNumber
  )
}
