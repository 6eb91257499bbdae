import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'

export type ReportEnums = ReturnType<typeof reportEnums>

/** The enums that the arguments of several reports share. */
export function reportEnums(graph: Graph) {
  return {
    Granularity: graph.enumType('Granularity', { values: GRANULARITIES }),
    Comparison: graph.enumType('Comparison', {
      values: COMPARISONS,
      description:
        'What the figures are set against: the days before of the same number; the nearest earlier days with the same ' +
        'weekdays; the same days of the months one year before.',
    }),
  }
}
