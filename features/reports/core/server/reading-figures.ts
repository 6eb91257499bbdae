import { COMPLETION, ENGAGED_TIME } from './content-kind.ts'
import { type Sums, sumOfColumns } from './figure-sums.ts'

const MS_PER_SECOND = 1000n

/** Whole seconds of reading; null where no watch was delivered with its time. */
export function engagedSeconds(sums: Sums): bigint | null {
  return sumOfColumns(sums, ENGAGED_TIME.watches) === 0n ? null : sumOfColumns(sums, ENGAGED_TIME.sum) / MS_PER_SECOND
}

/** Watches that reached the end; null where none was delivered with it. */
export function completionsOf(sums: Sums): bigint | null {
  return sumOfColumns(sums, COMPLETION.watches) === 0n ? null : sumOfColumns(sums, COMPLETION.sum)
}
