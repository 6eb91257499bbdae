import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { day, ids, oneOf } from '@pc/domain/condition/params.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'

/** Columns that the dashboard's table sorts by. */
const SORT_COLUMNS = ['date', 'impressions', 'clicks', 'ctr', 'watchCount', 'follower', 'revenue'] as const
type SortColumn = (typeof SORT_COLUMNS)[number]
/** A leading minus sorts descending; the newest period first unless the address says otherwise. */
const SORTS: readonly [`-${SortColumn}`, ...(SortColumn | `-${SortColumn}`)[]] = [
  '-date',
  ...SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const),
]

/** The dashboard's filter. Without days it is the default range of the day on which it is read. */
export const dashboardCondition = defineCondition({
  from: day(),
  to: day(),
  granularity: oneOf(GRANULARITIES),
  mediumId: ids(),
  organizationId: ids(),
  publisherId: ids(),
  sort: oneOf(SORTS),
})
export type DashboardCondition = ConditionOf<typeof dashboardCondition>
