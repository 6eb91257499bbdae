import type { Comparison } from '@pc/domain/report/comparison.ts'

/** A file has all periods of its range: there are never more. */
export const MAX_PERIODS = 10_000

export const comparisonOf = (compareWith: Comparison | 'none') => (compareWith === 'none' ? undefined : compareWith)

/** The ids of a condition as arguments: an empty list does not restrict. */
export function entityIds(
  condition: Readonly<Record<'mediumId' | 'organizationId' | 'publisherId', readonly string[]>>,
) {
  return {
    mediumIds: presentIds(condition.mediumId),
    organizationIds: presentIds(condition.organizationId),
    publisherIds: presentIds(condition.publisherId),
  }
}

export const presentIds = (ids: readonly string[]) => (ids.length > 0 ? ids : undefined)
