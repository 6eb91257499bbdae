import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { readCsv } from '../text/read-csv.ts'
import { MAX_TRANSFER_REASON } from '../transfer/transfer-reason.ts'
import type { ResultLine, TransferOutcome } from './zengin-result.ts'

/**
 * Columns of the bank's answer as a table, which people fill in from the bank's screen or list. Each line names a
 * transfer by its number. The template of a batch has every column filled in but the outcome.
 */
const COLUMNS = { number: '振込番号', amount: '振込額', outcome: '結果', reason: '理由' } as const

/** The header of the template. The columns that are not in {@link COLUMNS} only help a person to find the line. */
export const RESULT_CSV_HEADER = [
  COLUMNS.number,
  '支払先',
  '銀行',
  '支店',
  COLUMNS.amount,
  COLUMNS.outcome,
  COLUMNS.reason,
]

const OUTCOME_WORDS: Readonly<Record<string, TransferOutcome>> = {
  支払済み: 'paid',
  支払済: 'paid',
  振込済み: 'paid',
  振込済: 'paid',
  済: 'paid',
  組戻し: 'returned',
  組戻: 'returned',
  不能: 'returned',
  振込不能: 'returned',
}

export type ResultCsvRefusal = Refusal<'bank/result-csv-header-missing' | 'bank/result-csv-empty'>

/**
 * Lines without an outcome are left out, as nothing is known of them yet.
 * Tested by `domain/bank/bank.test.ts`.
 */
export function readResultCsv(text: string): Result<readonly ResultLine[], ResultCsvRefusal> {
  const [header = [], ...rows] = readCsv(text)
  const place = (name: string) => header.findIndex(cell => cell.trim() === name)
  const places = { number: place(COLUMNS.number), amount: place(COLUMNS.amount), outcome: place(COLUMNS.outcome) }
  if (Object.values(places).some(index => index < 0)) {
    return refused(
      refusal('bank/result-csv-header-missing', [], { columns: Object.values(COLUMNS).slice(0, 3).join('、') }),
    )
  }
  const reasonPlace = place(COLUMNS.reason)
  const lines = rows.flatMap((row): readonly ResultLine[] => {
    const mark = (row[places.outcome] ?? '').trim()
    if (mark === '') return []
    return [
      {
        ...namedRecord(row[places.number]),
        amountYen: wholeNumber(row[places.amount]),
        account: undefined,
        outcome: OUTCOME_WORDS[mark] ?? 'unknown',
        mark,
        reason: (row[reasonPlace] ?? '').trim().slice(0, MAX_TRANSFER_REASON),
      },
    ]
  })
  return lines.length === 0 ? refused(refusal('bank/result-csv-empty')) : ok(lines)
}

/** `123`, or `123-2` for the second record of a transfer with several. */
function namedRecord(cell = ''): Pick<ResultLine, 'transferNumber' | 'recordNumber'> {
  const [, transfer, record] = /^(\d{1,15})[-－](\d{1,4})$/.exec(cell.trim()) ?? []
  if (transfer === undefined) return { transferNumber: wholeNumber(cell), recordNumber: 0 }
  return { transferNumber: BigInt(transfer), recordNumber: Number(record) }
}

/** The number of digits with or without separators; 0, which matches no transfer, for anything else. */
function wholeNumber(cell = ''): bigint {
  const digits = cell.trim().replaceAll(/[,，]/g, '')
  return /^\d{1,15}$/.test(digits) ? BigInt(digits) : 0n
}
