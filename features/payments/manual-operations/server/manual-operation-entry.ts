import { MAX_ENTRY_YEN } from '@pc/domain/money/yen.ts'
import { EARLIEST_MONTH, formatYearMonth, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import {
  type AdjustmentCsvRow,
  MAX_CSV_ROWS,
  type OriginMonths,
  readAdjustmentCsv,
} from '@pc/domain/payment/adjustment-csv.ts'
import { readPoolWeights } from '@pc/domain/payment/adjustment-weights.ts'
import { isPoolKind, type JobKind, MAX_MANUAL_OPERATION_NOTES } from '@pc/domain/payment/manual-operation.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { RuleKey } from '@pc/domain/settlement/rule-map.ts'
import type { AdjustmentReason, ManualOperationMethod } from '@pc/domain/settlement/settlement-input.ts'
import { readWholeNumber } from '@pc/domain/text/whole-number.ts'

/** An entry as it was sent, before it is checked. */
export interface ManualOperationInput {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly kind: JobKind
  readonly method: ManualOperationMethod
  readonly extraRevenueYen: bigint | null
  /** `YYYY-MM`; empty: the month itself. For a csv entry, the origin month of rows that name none. */
  readonly extraRevenueMonth: string
  readonly notes: string
}
export interface RawRow {
  readonly agreementId: string
  readonly publisherId: string
  readonly amount: string
  readonly weight: string
  readonly reason: string
  readonly originMonth: string
}

/** A line of the raw data after it was checked: an amount of a csv entry, a weight of a pool. */
export interface CheckedRow extends RuleKey {
  readonly line: number
  readonly amountYen: bigint | null
  readonly weight: bigint | null
  readonly reason: AdjustmentReason | null
  readonly originMonth: YearMonth | null
}
export interface CheckedEntry {
  readonly extraRevenueYen: bigint
  readonly extraRevenueMonth: YearMonth
  readonly rows: readonly CheckedRow[]
}

type EntryRefusal = Refusal<RefusalCode>
/** Refusals that are reported at once. A person corrects these and tries again. */
const MAX_REFUSALS = 100

/** The agreements whose rows name an origin month, for which the caller must read the months that are allowed. */
export function agreementsWithOriginMonth(input: ManualOperationInput, rawRows: readonly RawRow[]): readonly bigint[] {
  if (input.kind !== 'csv') return []
  const named = rowsOfEntry(input, rawRows.slice(0, MAX_CSV_ROWS)).filter(row => row.originMonth.trim() !== '')
  const ids = new Set(named.flatMap(row => readWholeNumber(row.agreementId) ?? []))
  return [...ids].filter(id => id === BigInt.asIntN(64, id))
}

/** The rows of a csv entry, with the entry's own month in those that name none. */
function rowsOfEntry({ kind, month, extraRevenueMonth }: ManualOperationInput, rawRows: readonly RawRow[]) {
  const own = parseYearMonth(extraRevenueMonth)
  if (kind !== 'csv' || own === undefined || own >= month) return rawRows
  return rawRows.map(row => (row.originMonth.trim() === '' ? { ...row, originMonth: formatYearMonth(own) } : row))
}

/** Checks an entry line by line before anything is booked; each refusal names its row and field. */
export function checkEntry(
  input: ManualOperationInput,
  rawRows: readonly RawRow[],
  known: readonly RuleKey[],
  originMonths: OriginMonths,
): Result<CheckedEntry, EntryRefusal> {
  const refusals: EntryRefusal[] = []
  if (input.notes.length > MAX_MANUAL_OPERATION_NOTES)
    refusals.push(refusal('dividend/notes-too-long', ['input', 'notes'], { max: MAX_MANUAL_OPERATION_NOTES }))
  const extraRevenueMonth = input.extraRevenueMonth === '' ? input.month : parseYearMonth(input.extraRevenueMonth)
  if (extraRevenueMonth === undefined || extraRevenueMonth > input.month || extraRevenueMonth < EARLIEST_MONTH) {
    refusals.push(refusal('dividend/extra-month-wrong', ['input', 'extraRevenueMonth']))
  }
  const rows = checkRows(input, rowsOfEntry(input, rawRows), known, originMonths)
  if (!rows.ok) refusals.push(...rows.refusals)
  const amount = amountOf(input, rows.ok ? rows.value : [])
  if (!amount.ok) refusals.push(...(rows.ok ? amount.refusals : []))
  if (refusals.length > 0 || !rows.ok || !amount.ok || extraRevenueMonth === undefined) {
    return refused(...refusals.slice(0, MAX_REFUSALS))
  }
  return ok({ extraRevenueYen: amount.value, extraRevenueMonth, rows: rows.value })
}

function checkRows(
  { kind, method, month }: ManualOperationInput,
  rawRows: readonly RawRow[],
  known: readonly RuleKey[],
  originMonths: OriginMonths,
): Result<readonly CheckedRow[], EntryRefusal> {
  if (kind === 'reset') {
    return rawRows.length === 0 ? ok([]) : refused(refusal('dividend/rows-not-expected', ['rawData']))
  }
  if (isPoolKind(kind)) {
    const weights = readPoolWeights(rawRows, [], known)
    if (!weights.ok) return weights
    return ok(
      weights.value.map((row, index) => ({
        ...row,
        line: index + 1,
        amountYen: null,
        reason: null,
        originMonth: null,
      })),
    )
  }
  const texts = rawRows.slice(0, MAX_CSV_ROWS + 1).map(
    ({ agreementId, publisherId, amount, reason, originMonth }): AdjustmentCsvRow => ({
      agreementId,
      publisherId,
      amountYen: amount,
      reason,
      originMonth,
    }),
  )
  const read = readAdjustmentCsv(texts, { jobId: 0n, method, month, rules: known, originMonths })
  if (!read.ok) return refused(...read.refusals.map(inRawData))
  return ok(read.value.rows.map(({ jobId: _job, method: _method, ...row }) => ({ ...row, weight: null })))
}

/** In the raw data that people enter, the column `amountYen` is called `amount`. */
function inRawData<R extends EntryRefusal>(one: R): R {
  return { ...one, path: one.path.map(part => (part === 'amountYen' ? 'amount' : part)) }
}

function amountOf(
  { kind, extraRevenueYen }: ManualOperationInput,
  rows: readonly CheckedRow[],
): Result<bigint, EntryRefusal> {
  const path = ['input', 'extraRevenue']
  if (kind === 'reset') return ok(0n)
  if (kind === 'csv') {
    const total = rows.reduce((sum, row) => sum + (row.amountYen ?? 0n), 0n)
    const isSame = extraRevenueYen === null || extraRevenueYen === total
    return isSame
      ? ok(total)
      : refused(refusal('dividend/total-differs', path, { entered: `${extraRevenueYen}`, total: `${total}` }))
  }
  if (extraRevenueYen === null) return refused(refusal('dividend/amount-missing', path))
  if (extraRevenueYen < 0n) return refused(refusal('dividend/amount-negative', path))
  return extraRevenueYen > MAX_ENTRY_YEN ? refused(refusal('dividend/amount-too-large', path)) : ok(extraRevenueYen)
}
