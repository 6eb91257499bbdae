import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { day, ids, oneOf } from '@pc/domain/condition/params.ts'

export const GRANULARITIES = ['daily', 'weekly', 'monthly'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/** Columns that the dashboard's table sorts by; a leading minus sorts descending. */
export const DASHBOARD_SORTS = [
  '-date',
  'date',
  ...(['impressions', 'clicks', 'ctr', 'watchCount', 'follower', 'revenue'] as const).flatMap(
    column => [column, `-${column}`] as const,
  ),
] as const

/** The dashboard's filter. Without days it is the default range of the day on which it is read. */
export const dashboardCondition = defineCondition({
  from: day(),
  to: day(),
  granularity: oneOf(GRANULARITIES),
  mediumId: ids(),
  organizationId: ids(),
  publisherId: ids(),
  sort: oneOf(['-date', ...DASHBOARD_SORTS]),
})
export type DashboardCondition = ConditionOf<typeof dashboardCondition>
