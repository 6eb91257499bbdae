import type { Day } from '@pc/domain/month/day.ts'
import type { ComponentType } from 'react'
import type { DashboardCondition } from '../../dashboard-condition.ts'

/** The key figures, whose change can be explained. */
export type ExplainedMetric = 'publisherTotalRevenue' | 'impressions' | 'clicks' | 'ctr'

export interface DashboardCardProps {
  readonly card: 'forecast' | 'anomalies' | 'live' | 'history' | 'bridge' | 'change'
  readonly condition: DashboardCondition
  /** The last day of the dashboard's range. */
  readonly until: Day
  readonly today: Day
  /** Of the drawer that explains a change. */
  readonly explained?: { readonly metric: ExplainedMetric; readonly onClose: () => void }
}

/** The cards beside the dashboard's own figures; their code is loaded after the dashboard's. */
export type LoadDashboardCards = () => Promise<{ readonly DashboardCards: ComponentType<DashboardCardProps> }>
