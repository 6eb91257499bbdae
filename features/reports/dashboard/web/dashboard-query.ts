import { chosenRange, type DayRange } from '@pc/domain/condition/default-range.ts'
import { filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { comparedRange } from '@pc/domain/report/comparison.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import { DashboardDocument, type DashboardQueryVariables, type SummaryStatsParam } from './dashboard.gen.ts'

/** The right to revenue detail, which is selected only for people who have it; the server answers null to others. */
const REVENUE_DETAIL = { action: 'read:list', resource: 'insight:revenue_detail.' } as const

export const dashboardQuery = {
  document: DashboardDocument,
  variables(condition: DashboardCondition, { today, viewer }: ScreenContext): DashboardQueryVariables {
    const range = chosenRange(condition, today)
    const before = comparedRange('previous_period', range)
    return {
      param: {
        ...rowsOf(condition, range),
        granularity: condition.granularity,
        ...(condition.compareWith === 'none' ? {} : { compareWith: condition.compareWith }),
      },
      // The preceding range as a whole, for the change of the key figures. Left out when there is no such range.
      previous: { ...rowsOf(condition, before ?? range), granularity: 'monthly' },
      withPrevious: before !== undefined,
      withRevenueDetail: viewer.can(REVENUE_DETAIL.action, REVENUE_DETAIL.resource),
    }
  },
}

function rowsOf(condition: DashboardCondition, { from, to }: DayRange): SummaryStatsParam {
  return { from, to, ...filterArguments(condition) }
}
