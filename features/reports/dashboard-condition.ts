import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { REPORT_FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { day, id, oneOf } from '@pc/domain/condition/params.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'

/** Columns that the dashboard's table sorts by, as `report-columns.ts` names them. */
const SORT_COLUMNS = [
  ...(['date', 'impressions', 'clicks', 'ctr', 'watchCount', 'follower', 'revenue', 'gross', 'rpm'] as const),
  ...(['effectiveRate', 'productAdsRevenue', 'sspRevenue', 'videoSspRevenue', 'liveSspRevenue'] as const),
  ...(['retainedRevenue', 'articleImpressions', 'articleClicks', 'articleWatchCount'] as const),
  ...(['videoImpressions', 'videoClicks', 'videoWatchCount'] as const),
  ...(['liveImpressions', 'liveClicks', 'liveWatchCount'] as const),
] as const
type SortColumn = (typeof SORT_COLUMNS)[number]
/** Sort orders in the address; a leading minus means descending. The first one is the default: newest period first. */
export const DASHBOARD_SORTS: readonly [`-${SortColumn}`, ...(SortColumn | `-${SortColumn}`)[]] = [
  '-date',
  ...SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const),
]

/** The dashboard's condition as in the address. Without `from` and `to` it means the default range of the current day. */
export const dashboardCondition = defineCondition({
  from: day(),
  to: day(),
  granularity: oneOf(GRANULARITIES),
  compareWith: oneOf(['none', ...COMPARISONS]),
  ...REPORT_FILTERS.dashboard,
  sort: oneOf(DASHBOARD_SORTS),
  /** The id of a saved view, whose columns are shown. */
  view: id(),
})
export type DashboardCondition = ConditionOf<typeof dashboardCondition>
