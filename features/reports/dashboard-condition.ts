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
  compareWith: oneOf(['none', ...COMPARISONS]),
  ...REPORT_FILTERS.dashboard,
  sort: oneOf(SORTS),
  /** A saved view: its columns are shown. */
  view: id(),
})
export type DashboardCondition = ConditionOf<typeof dashboardCondition>
