import { COMPLETION, ENGAGED_TIME } from './content-kind.ts'
import { type Sums, sumOfColumns } from './figure-sums.ts'

const MS_PER_SECOND = 1000n

/** Whole seconds of reading; null when no delivered row had a reading time. */
export function engagedSeconds(sums: Sums): bigint | null {
  return sumOfColumns(sums, ENGAGED_TIME.views) === 0n ? null : sumOfColumns(sums, ENGAGED_TIME.sum) / MS_PER_SECOND
}

/** Views that reached the end of the article; null when no delivered row had the count. */
export function completionsOf(sums: Sums): bigint | null {
  return sumOfColumns(sums, COMPLETION.views) === 0n ? null : sumOfColumns(sums, COMPLETION.sum)
}
