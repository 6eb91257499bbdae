import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { type FilterCondition, filterArguments } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { OrderBasis } from '@pc/domain/report/order-basis.ts'
import { changeArguments } from '@pc/domain/report/order-by-change.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { ReportRequest } from './report-arguments.ts'
import type { ReportExport } from './report-exporter.ts'

/** More than any range has, because a file contains all periods. */
export const MAX_PERIODS = 10_000

export interface ExportCondition extends FilterCondition {
  readonly from: Day | undefined
  readonly to: Day | undefined
  readonly compareWith: Comparison | 'none'
  readonly orderOf?: OrderBasis
  readonly minChange?: string
}

/** The `param` of a report query for a screen's condition. */
export function exportParam<C extends ExportCondition>(condition: C, clock: Clock) {
  const { compareWith } = condition
  return {
    ...chosenRange(condition, today(clock)),
    ...filterArguments(condition),
    compareWith: compareWith === 'none' ? undefined : compareWith,
    ...changeArguments(condition),
  }
}

/** The parts of a request that the file's header states. */
export function aboutExport({
  range,
  compareWith,
  filter,
  changedBy,
}: ReportRequest): Pick<ReportExport, 'range' | 'compareWith' | 'filter' | 'changedBy'> {
  return { range, compareWith, filter, ...(changedBy ? { changedBy } : {}) }
}
