import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result } from '../result.ts'
import { parseZenginFile, type ReadZenginRefusal } from './zengin-record.ts'

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

export type TransferOutcome = 'paid' | 'returned' | 'unknown'

/** One line of an answer as it was read, in whatever form it came. */
export interface ResultLine {
  /** 0 when the line names none that could be read. */
  readonly transferNumber: bigint
  readonly amountYen: bigint
  /** Undefined when this form of answer does not repeat the account. */
  readonly account:
    | { readonly bankCode: string; readonly branchCode: string; readonly accountNumber: string }
    | undefined
  readonly outcome: TransferOutcome
  /** What stood there for the outcome. */
  readonly mark: string
  /** Why it came back, where the answer says so. */
  readonly reason: string
}

/** A transfer of ours that was exported. */
export interface ExportedTransfer {
  readonly transferNumber: bigint
  readonly bankCode: string
  readonly branchCode: string
  readonly accountNumber: string
  readonly amountYen: bigint
}

export type ResultProblem = Refusal<
  | 'bank/result-transfer-unknown'
  | 'bank/result-transfer-twice'
  | 'bank/result-amount-differs'
  | 'bank/result-account-differs'
>
export type TransferResultRefusal = ReadZenginRefusal | ResultProblem

export interface MatchedLine extends ResultLine {
  /** The line does not fit our transfers: nothing is booked by it. */
  readonly problem: ResultProblem | null
}

/** The records of a bank's file, which is refused whole only when it cannot be read. */
export function readZenginResult(text: string, layout: ResultLayout): Result<readonly ResultLine[], ReadZenginRefusal> {
  const file = parseZenginFile(text)
  if (!file.ok) return file
  return ok(
    file.value.transfers.map((record): ResultLine => {
      const mark = record.reserved.padEnd(7).slice(layout.markOffset, layout.markOffset + layout.markLength)
      const { transferNumber, amountYen, bankCode, branchCode, accountNumber } = record
      const account = { bankCode, branchCode, accountNumber }
      return { transferNumber, amountYen, account, outcome: outcomeOf(mark, layout), mark, reason: '' }
    }),
  )
}

/** Each line beside the transfer that it names; a number, amount or account that does not fit is a problem of its line. */
export function matchResult(
  lines: readonly ResultLine[],
  exported: ReadonlyMap<bigint, ExportedTransfer>,
): readonly MatchedLine[] {
  const seen = new Set<bigint>()
  return lines.map(line => {
    const transfer = exported.get(line.transferNumber)
    const isRepeated = seen.has(line.transferNumber)
    seen.add(line.transferNumber)
    return { ...line, problem: problemOf(line, transfer, isRepeated) }
  })
}

function problemOf(
  line: ResultLine,
  transfer: ExportedTransfer | undefined,
  isRepeated: boolean,
): ResultProblem | null {
  const data = { transferNumber: line.transferNumber.toString() }
  if (!transfer) return refusal('bank/result-transfer-unknown', [], data)
  if (isRepeated) return refusal('bank/result-transfer-twice', [], data)
  if (transfer.amountYen !== line.amountYen) return refusal('bank/result-amount-differs', [], data)
  return isSameAccount(transfer, line.account) ? null : refusal('bank/result-account-differs', [], data)
}

function outcomeOf(mark: string, layout: ResultLayout): TransferOutcome {
  if (layout.paidMarks.includes(mark)) return 'paid'
  return layout.returnedMarks.includes(mark) ? 'returned' : 'unknown'
}

function isSameAccount(transfer: ExportedTransfer, account: ResultLine['account']): boolean {
  if (!account) return true
  return (
    transfer.bankCode === account.bankCode &&
    transfer.branchCode === account.branchCode &&
    transfer.accountNumber.padStart(7, '0') === account.accountNumber
  )
}
