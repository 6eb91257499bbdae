import { MAX_ENTRY_YEN, magnitude, sumBy } from '../money/yen.ts'
import { formatYearMonth, monthsBetween, parseYearMonth, type YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { ruleKeyText } from '../settlement/rule-map.ts'
import {
  ADJUSTMENT_REASONS,
  type AdjustmentReason,
  type AdjustmentRow,
  type ManualOperationMethod,
} from '../settlement/settlement-input.ts'
import { readWholeNumber } from '../text/whole-number.ts'

/** A row of the raw data as it was typed or uploaded; every field is text. */
export interface AdjustmentCsvRow {
  readonly agreementId: string
  readonly publisherId: string
  readonly amountYen: string
  readonly reason: string
  readonly originMonth: string
}

/** Rows of the raw data of one entry. */
export const MAX_CSV_ROWS = 10_000

export type AdjustmentCsvRefusal = Refusal<
  | 'dividend/csv-empty'
  | 'dividend/csv-too-long'
  | 'dividend/csv-rule-unknown'
  | 'dividend/csv-amount-not-whole'
  | 'dividend/csv-amount-zero'
  | 'dividend/csv-amount-too-large'
  | 'dividend/csv-discard-negative'
  | 'dividend/csv-reason-unknown'
  | 'dividend/csv-origin-month-wrong'
  | 'payment/origin-month-unknown'
>

export interface AdjustmentCsvContext {
  readonly jobId: bigint
  readonly method: ManualOperationMethod
  readonly month: YearMonth
  readonly rules: readonly { readonly agreementId: bigint; readonly publisherId: bigint }[]
  /** Months that a row of an agreement may name as its origin; `any` for corrections that the system makes itself. */
  readonly originMonths: OriginMonths
}

/** By agreement: finalised months with revenue, months of its opening balances, and months that it still carries. */
export type OriginMonths = ReadonlyMap<bigint, ReadonlySet<YearMonth>> | 'any'

export interface AdjustmentCsvPreview {
  readonly rows: readonly AdjustmentRow[]
  readonly totalYen: bigint
}

/**
 * Reads the rows before anything is booked. One wrong row refuses all. Each refusal's path names the row (from 0) and
 * the field, so that a preview can mark it.
 * Tested by `domain/payment/manual-operation.test.ts`.
 */
export function readAdjustmentCsv(
  rawRows: readonly AdjustmentCsvRow[],
  context: AdjustmentCsvContext,
): Result<AdjustmentCsvPreview, AdjustmentCsvRefusal> {
  if (rawRows.length === 0) return refused(refusal('dividend/csv-empty', ['rawData']))
  if (rawRows.length > MAX_CSV_ROWS) {
    return refused(refusal('dividend/csv-too-long', ['rawData'], { rows: rawRows.length, limit: MAX_CSV_ROWS }))
  }
  const knownRules = new Set(context.rules.map(ruleKeyText))
  const refusals: AdjustmentCsvRefusal[] = []
  const rows = rawRows.map((raw, index) => readRow(raw, index, context, knownRules, refusals))
  return refusals.length > 0 ? refused(...refusals) : ok({ rows, totalYen: sumBy(rows, row => row.amountYen) })
}

function readRow(
  raw: AdjustmentCsvRow,
  index: number,
  context: AdjustmentCsvContext,
  knownRules: ReadonlySet<string>,
  refusals: AdjustmentCsvRefusal[],
): AdjustmentRow {
  const refuse = (code: AdjustmentCsvRefusal['code'], field: keyof AdjustmentCsvRow) =>
    refusals.push(refusal(code, ['rawData', index, field], { line: index + 1, text: raw[field].slice(0, 40) }))
  const agreementId = readWholeNumber(raw.agreementId) ?? -1n
  const publisherId = readWholeNumber(raw.publisherId) ?? -1n
  if (!knownRules.has(ruleKeyText({ agreementId, publisherId }))) refuse('dividend/csv-rule-unknown', 'publisherId')

  const amountYen = readWholeNumber(raw.amountYen)
  if (amountYen === undefined) refuse('dividend/csv-amount-not-whole', 'amountYen')
  else if (amountYen === 0n) refuse('dividend/csv-amount-zero', 'amountYen')
  else if (magnitude(amountYen) > MAX_ENTRY_YEN) refuse('dividend/csv-amount-too-large', 'amountYen')
  else if (context.method === 'discard' && amountYen < 0n) refuse('dividend/csv-discard-negative', 'amountYen')

  const reason = reasonOf(raw.reason)
  if (!reason) refuse('dividend/csv-reason-unknown', 'reason')
  const originText = raw.originMonth.trim()
  const originMonth = originText === '' ? null : (parseYearMonth(originText.normalize('NFKC')) ?? undefined)
  if (originMonth === undefined || (originMonth !== null && originMonth > context.month)) {
    refuse('dividend/csv-origin-month-wrong', 'originMonth')
  } else if (originMonth !== null && originMonth !== context.month && context.originMonths !== 'any') {
    const months = context.originMonths.get(agreementId) ?? new Set<YearMonth>()
    const data = { line: index + 1, text: originText, proposal: proposedMonth(originMonth, months, context.month) }
    if (!months.has(originMonth)) {
      refusals.push(refusal('payment/origin-month-unknown', ['rawData', index, 'originMonth'], data))
    }
  }
  return {
    jobId: context.jobId,
    line: index + 1,
    agreementId,
    publisherId,
    method: context.method,
    amountYen: amountYen ?? 0n,
    reason: reason ?? 'other',
    originMonth: originMonth ?? null,
  }
}

/** The month that was probably meant: the one that differs in the fewest digits, then the nearest. */
function proposedMonth(typed: YearMonth, months: ReadonlySet<YearMonth>, booked: YearMonth): string {
  const text = formatYearMonth(typed)
  const differences = (month: YearMonth) => {
    const other = formatYearMonth(month)
    return [...text].filter((sign, at) => sign !== other[at]).length
  }
  const distance = (month: YearMonth) => Math.abs(monthsBetween(typed, month))
  const [nearest] = [...months, booked].toSorted(
    (a, b) => differences(a) - differences(b) || distance(a) - distance(b) || b - a,
  )
  return formatYearMonth(nearest ?? booked)
}

/** Reasons by their Japanese words, and by the codes that files of other systems use. */
const REASON_WORDS: ReadonlyMap<string, AdjustmentReason> = new Map([
  ['無効トラフィック', 'invalid_traffic'],
  ['訂正', 'correction'],
  ['その他', 'other'],
  ['', 'other'],
])

function reasonOf(text: string): AdjustmentReason | undefined {
  const word = text.normalize('NFKC').trim()
  return REASON_WORDS.get(word) ?? ADJUSTMENT_REASONS.find(each => each === word)
}
