import { compareBigints } from '../money/allocate.ts'
import { larger, smaller } from '../money/yen.ts'
import type { AdjustmentRow } from './settlement-input.ts'
import type { AppliedAdjustment } from './settlement-result.ts'

/**
 * Section 2.3, step 8, for one rule: payment rows add (negative: clawback), discard rows remove from what is there and
 * stop at 0. `balanceYen` is carried over + revenue. Payment rows come first, discards by job and line, so that the
 * order of the rows does not matter.
 */
export function applyAdjustments(balanceYen: bigint, rows: readonly AdjustmentRow[]): readonly AppliedAdjustment[] {
  const ordered = rows.toSorted((a, b) => compareBigints(a.jobId, b.jobId) || a.line - b.line)
  let leftYen = balanceYen
  const payments: AppliedAdjustment[] = []
  for (const row of ordered) {
    if (row.method !== 'payment') continue
    leftYen += row.amountYen
    payments.push({ ...row, appliedYen: row.amountYen })
  }
  const discards: AppliedAdjustment[] = []
  for (const row of ordered) {
    if (row.method !== 'discard') continue
    const removedYen = smaller(row.amountYen, larger(leftYen, 0n))
    leftYen -= removedYen
    discards.push({ ...row, appliedYen: -removedYen })
  }
  return [...payments, ...discards]
}
