import { smaller } from '../money/yen.ts'
import { compareMonths, type YearMonth } from '../month/year-month.ts'
import type { GeneratedBucket } from './settlement-input.ts'

/** Adds buckets up by month, oldest first; months with a sum of 0 are left out. */
export function mergeBuckets(buckets: Iterable<GeneratedBucket>): readonly GeneratedBucket[] {
  const byMonth = new Map<YearMonth, bigint>()
  for (const { generatedMonth, amountYen } of buckets) {
    byMonth.set(generatedMonth, (byMonth.get(generatedMonth) ?? 0n) + amountYen)
  }
  return [...byMonth]
    .filter(([, amountYen]) => amountYen !== 0n)
    .toSorted(([a], [b]) => compareMonths(a, b))
    .map(([generatedMonth, amountYen]) => ({ generatedMonth, amountYen }))
}

/**
 * Offsets negative months against positive ones, oldest first, so that every remaining month is positive and the sum is
 * unchanged; the sum must not be negative. Tax can then be computed on every month.
 * Tested by `domain/settlement/worked-examples.test.ts`.
 */
export function setOffBuckets(buckets: Iterable<GeneratedBucket>): readonly GeneratedBucket[] {
  const merged = mergeBuckets(buckets)
  let owedYen = 0n
  for (const { amountYen } of merged) if (amountYen < 0n) owedYen -= amountYen
  const left: GeneratedBucket[] = []
  for (const bucket of merged) {
    if (bucket.amountYen <= 0n) continue
    const takenYen = smaller(owedYen, bucket.amountYen)
    owedYen -= takenYen
    if (bucket.amountYen > takenYen) left.push({ ...bucket, amountYen: bucket.amountYen - takenYen })
  }
  if (owedYen > 0n) throw new RangeError('a negative balance has no months to pay')
  return left
}
