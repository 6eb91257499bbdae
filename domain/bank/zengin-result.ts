import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result } from '../result.ts'
import { recordName } from '../transfer/transfer-records.ts'
import { parseZenginFile, type ReadZenginRefusal } from './zengin-record.ts'

/**
 * The bank's answer to a file of transfers. **There is no common layout for it.** The Association's standard defines
 * the transfer file, the credit notice (振込入金通知, 200 bytes) and the account statement (入出金取引明細, 200 bytes), but no
 * answer to a 総合振込. Banks that answer by file return the 120-byte file with a mark of their own in the bytes that the
 * standard leaves empty. A returned transfer (組戻し) usually shows only as a credit on the account statement.
 * So place and values of the mark are a setting of the source bank, taken from that bank's documentation, and returned
 * transfers can be entered by hand. A record with a mark that is not in the setting is `unknown` and changes no
 * payment.
 */
export interface ResultLayout {
  /** Position of the mark within the last seven bytes of a data record, from 0. */
  readonly markOffset: number
  readonly markLength: number
  readonly paidMarks: readonly string[]
  readonly returnedMarks: readonly string[]
}

export type TransferOutcome = 'paid' | 'returned' | 'unknown'

/** One line of an answer, whatever its form. */
export interface ResultLine {
  /** 0 when the line has no readable number. */
  readonly transferNumber: bigint
  /** 0 when the line names only the transfer. */
  readonly recordNumber: number
  readonly amountYen: bigint
  /** Undefined when this form of answer does not repeat the account. */
  readonly account:
    | { readonly bankCode: string; readonly branchCode: string; readonly accountNumber: string }
    | undefined
  readonly outcome: TransferOutcome
  /** The text of the outcome as it was read. */
  readonly mark: string
  /** Why the transfer came back; empty when the answer does not say. */
  readonly reason: string
}

/** A record that we exported: a whole transfer, or one of its several records. */
export interface ExportedRecord {
  readonly transferNumber: bigint
  readonly recordNumber: number
  readonly batchId: bigint
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
  | 'bank/result-record-unclear'
>
export type TransferResultRefusal = ReadZenginRefusal | ResultProblem

export interface MatchedLine extends ResultLine {
  /** The line does not match our transfers, so it books nothing; null: it matches. */
  readonly problem: ResultProblem | null
}

/** The records of a bank's file. The file is refused only when it cannot be read. */
export function readZenginResult(text: string, layout: ResultLayout): Result<readonly ResultLine[], ReadZenginRefusal> {
  const file = parseZenginFile(text)
  if (!file.ok) return file
  return ok(
    file.value.transfers.map((record): ResultLine => {
      const mark = record.reserved.padEnd(7).slice(layout.markOffset, layout.markOffset + layout.markLength)
      const { transferNumber, recordNumber, amountYen, bankCode, branchCode, accountNumber } = record
      const account = { bankCode, branchCode, accountNumber }
      return { transferNumber, recordNumber, amountYen, account, outcome: outcomeOf(mark, layout), mark, reason: '' }
    }),
  )
}

export const recordKey = (record: Pick<ExportedRecord, 'transferNumber' | 'recordNumber'>): string =>
  `${record.transferNumber}-${record.recordNumber}`

/**
 * Each line with the record that it names. A number, amount or account that does not match is a problem of its line.
 * Tested by `domain/bank/bank.test.ts`.
 */
export function matchResult(lines: readonly ResultLine[], exported: readonly ExportedRecord[]): readonly MatchedLine[] {
  const known = new Map(exported.map(record => [recordKey(record), record]))
  const seen = new Set<string>()
  return nameRecords(lines, exported).map(line => {
    const record = known.get(recordKey(line))
    const isRepeated = record !== undefined && seen.has(recordKey(line))
    seen.add(recordKey(line))
    return { ...line, problem: problemOf(line, record, isRepeated, exported) }
  })
}

/**
 * Banks that do not return customer code 2 name only the transfer. If all its records are there with their amounts,
 * they are taken in the order of the file; otherwise equal ones cannot be told apart, and a person has to decide.
 */
function nameRecords(lines: readonly ResultLine[], exported: readonly ExportedRecord[]): readonly ResultLine[] {
  const split = Map.groupBy(
    exported.filter(record => record.recordNumber > 0),
    record => record.transferNumber,
  )
  const whole = new Set(exported.flatMap(record => (record.recordNumber === 0 ? [record.transferNumber] : [])))
  const unnamed = Map.groupBy(
    lines.filter(line => line.recordNumber === 0 && split.has(line.transferNumber)),
    line => line.transferNumber,
  )
  const numbers = new Map<ResultLine, number>()
  for (const [transferNumber, group] of unnamed) {
    const records = split.get(transferNumber)!.toSorted((a, b) => a.recordNumber - b.recordNumber)
    const isWhole =
      records.length === group.length &&
      records.every(
        (record, index) => record.batchId === records[0]!.batchId && record.amountYen === group[index]!.amountYen,
      )
    if (isWhole) for (const [index, line] of group.entries()) numbers.set(line, records[index]!.recordNumber)
  }
  return lines.map(line => {
    // Where a transfer has one record, whatever the bank writes into customer code 2 is ignored.
    const isWholeRecord = line.account !== undefined && whole.has(line.transferNumber)
    return { ...line, recordNumber: isWholeRecord ? 0 : (numbers.get(line) ?? line.recordNumber) }
  })
}

function problemOf(
  line: ResultLine,
  record: ExportedRecord | undefined,
  isRepeated: boolean,
  exported: readonly ExportedRecord[],
): ResultProblem | null {
  const name = recordName(line.transferNumber, line.recordNumber)
  const data = { transferNumber: name }
  if (!record) {
    const isSplit = exported.some(each => each.transferNumber === line.transferNumber)
    return refusal(isSplit ? 'bank/result-record-unclear' : 'bank/result-transfer-unknown', [], data)
  }
  if (isRepeated) return refusal('bank/result-transfer-twice', [], data)
  if (record.amountYen !== line.amountYen) return refusal('bank/result-amount-differs', [], data)
  return isSameAccount(record, line.account) ? null : refusal('bank/result-account-differs', [], data)
}

function outcomeOf(mark: string, layout: ResultLayout): TransferOutcome {
  if (layout.paidMarks.includes(mark)) return 'paid'
  return layout.returnedMarks.includes(mark) ? 'returned' : 'unknown'
}

function isSameAccount(transfer: ExportedRecord, account: ResultLine['account']): boolean {
  if (!account) return true
  return (
    transfer.bankCode === account.bankCode &&
    transfer.branchCode === account.branchCode &&
    transfer.accountNumber.padStart(7, '0') === account.accountNumber
  )
}
