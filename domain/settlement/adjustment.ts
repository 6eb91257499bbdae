import { compareBigints } from '../money/allocate.ts'
import { larger, smaller, sumBy } from '../money/yen.ts'
import type { YearMonth } from '../month/year-month.ts'
import { mergeBuckets } from './generated-bucket.ts'
import type { AdjustmentRow, GeneratedBucket } from './settlement-input.ts'
import type { AppliedAdjustment } from './settlement-result.ts'

/** The months from which a discard of `removedYen` is taken, as negative amounts. */
export type DiscardMonths = (
  row: Pick<AdjustmentRow, 'originMonth'>,
  removedYen: bigint,
  open: readonly GeneratedBucket[],
  month: YearMonth,
) => readonly GeneratedBucket[]

/** In version `offset_across_rates`: the month that the row names, otherwise the current month. */
export const discardFromOrigin: DiscardMonths = ({ originMonth }, removedYen, _open, month) => [
  { generatedMonth: originMonth ?? month, amountYen: -removedYen },
]

/**
 * Since version `returns_per_rate`: the month that the row names, otherwise the oldest open months with a positive
 * amount.
 */
export const discardFromOldest: DiscardMonths = ({ originMonth }, removedYen, open, month) => {
  if (originMonth !== null) return discardFromOrigin({ originMonth }, removedYen, open, month)
  let leftYen = removedYen
  return open
    .filter(bucket => bucket.amountYen > 0n)
    .map(({ generatedMonth, amountYen }) => {
      const takenYen = smaller(amountYen, leftYen)
      leftYen -= takenYen
      return { generatedMonth, amountYen: -takenYen }
    })
}

export interface AdjustedBalance {
  readonly adjustments: readonly AppliedAdjustment[]
  /** The balance by generated month after all rows, oldest first. */
  readonly openBuckets: readonly GeneratedBucket[]
}

/**
 * Applies the adjustments of one rule: payment rows add (negative: clawback), discard rows remove from the balance and
 * stop at 0. Payment rows come first, then discards by job and line, so the order of `rows` does not matter.
 * @param before what was carried over and earned
 */
export function applyAdjustments(
  before: readonly GeneratedBucket[],
  rows: readonly AdjustmentRow[],
  month: YearMonth,
  discardMonths: DiscardMonths,
): AdjustedBalance {
  const ordered = rows.toSorted((a, b) => compareBigints(a.jobId, b.jobId) || a.line - b.line)
  const payments = ordered.filter(row => row.method === 'payment')
  const adjustments: AppliedAdjustment[] = payments.map(row => ({ ...row, appliedYen: row.amountYen }))
  let openBuckets = mergeBuckets([
    ...before,
    ...payments.map(row => ({ generatedMonth: row.originMonth ?? month, amountYen: row.amountYen })),
  ])
  let leftYen = sumBy(openBuckets, bucket => bucket.amountYen)
  for (const row of ordered) {
    if (row.method !== 'discard') continue
    const removedYen = smaller(row.amountYen, larger(leftYen, 0n))
    leftYen -= removedYen
    openBuckets = mergeBuckets([...openBuckets, ...discardMonths(row, removedYen, openBuckets, month)])
    adjustments.push({ ...row, appliedYen: -removedYen })
  }
  return { adjustments, openBuckets }
}
