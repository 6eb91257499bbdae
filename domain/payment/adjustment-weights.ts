import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { ruleKeyText } from '../settlement/rule-map.ts'
import type { PoolWeight } from '../settlement/settlement-input.ts'
import { readWholeNumber } from '../text/whole-number.ts'
import { MAX_CSV_ROWS } from './adjustment-csv.ts'

/** Eighteen digits, which fit into 64 bits. */
const MAX_WEIGHT = 10n ** 18n - 1n

/** A row of a pool job's raw data: a weight that replaces the statistics. Every field is text. */
export interface PoolWeightRow {
  readonly agreementId: string
  readonly publisherId: string
  readonly weight: string
}

export type PoolWeightRefusal = Refusal<
  | 'dividend/weights-too-long'
  | 'dividend/weight-rule-unknown'
  | 'dividend/weight-not-whole'
  | 'dividend/weight-twice'
  | 'dividend/weights-all-zero'
>

/**
 * The weights of a pool job: those of the raw data if it has rows, otherwise those of the statistics. They are never
 * mixed.
 * Tested by `domain/payment/manual-operation.test.ts`.
 */
export function readPoolWeights(
  rawRows: readonly PoolWeightRow[],
  fromStatistics: readonly PoolWeight[],
  rules: readonly { readonly agreementId: bigint; readonly publisherId: bigint }[],
): Result<readonly PoolWeight[], PoolWeightRefusal> {
  if (rawRows.length === 0) return ok(fromStatistics)
  if (rawRows.length > MAX_CSV_ROWS) {
    return refused(refusal('dividend/weights-too-long', ['rawData'], { rows: rawRows.length, limit: MAX_CSV_ROWS }))
  }
  const known = new Map(rules.map(rule => [ruleKeyText(rule), rule]))
  const seen = new Set<string>()
  const refusals: PoolWeightRefusal[] = []
  const weights = rawRows.flatMap((raw, index): PoolWeight[] => {
    const refuse = (code: PoolWeightRefusal['code'], field: keyof PoolWeightRow) =>
      refusals.push(refusal(code, ['rawData', index, field], { line: index + 1 }))
    const agreementId = readWholeNumber(raw.agreementId) ?? -1n
    const publisherId = readWholeNumber(raw.publisherId) ?? -1n
    const key = ruleKeyText({ agreementId, publisherId })
    const rule = known.get(key)
    if (!rule) refuse('dividend/weight-rule-unknown', 'publisherId')
    if (rule && seen.has(key)) refuse('dividend/weight-twice', 'publisherId')
    seen.add(key)
    const weight = readWholeNumber(raw.weight)
    if (weight === undefined || weight < 0n || weight > MAX_WEIGHT) refuse('dividend/weight-not-whole', 'weight')
    else if (rule) return [{ agreementId, publisherId, weight }]
    return []
  })
  if (refusals.length === 0 && weights.every(each => each.weight === 0n)) {
    refusals.push(refusal('dividend/weights-all-zero', ['rawData']))
  }
  return refusals.length > 0 ? refused(...refusals) : ok(weights)
}
