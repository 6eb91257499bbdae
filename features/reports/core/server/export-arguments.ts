import type { Comparison } from '@pc/domain/report/comparison.ts'

/** A file has all periods of its range: there are never more. */
export const MAX_PERIODS = 10_000

export const comparisonOf = (compareWith: Comparison | 'none') => (compareWith === 'none' ? undefined : compareWith)
