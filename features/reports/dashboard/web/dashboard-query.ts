import { chosenRange, type DayRange, precedingRange } from '@pc/domain/condition/default-range.ts'
import { filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { daysOf } from '@pc/domain/report/period.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import { DashboardDocument, type DashboardQueryVariables, type SummaryStatsParam } from './dashboard.gen.ts'

/** Revenue detail is only asked for where the policies allow it: the answer is the same, the request is honest. */
const REVENUE_DETAIL = { action: 'read:list', resource: 'insight:revenue_detail.' } as const

export const dashboardQuery = {
  document: DashboardDocument,
  variables(condition: DashboardCondition, { today, viewer }: ScreenContext): DashboardQueryVariables {
    const range = chosenRange(condition, today)
    const before = precedingRange(range, daysOf(range))
    return {
      param: {
        ...rowsOf(condition, range),
        granularity: condition.granularity,
        ...(condition.compareWith === 'none' ? {} : { compareWith: condition.compareWith }),
      },
      // The figures before are compared as one sum; without such a range the field is left out.
      previous: { ...rowsOf(condition, before ?? range), granularity: 'monthly' },
      withPrevious: before !== undefined,
      withRevenueDetail: viewer.can(REVENUE_DETAIL.action, REVENUE_DETAIL.resource),
    }
  },
}

function rowsOf(condition: DashboardCondition, { from, to }: DayRange): SummaryStatsParam {
  return { from, to, ...filterArguments(condition) }
}
