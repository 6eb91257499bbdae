import type { Day } from '@pc/domain/month/day.ts'
import type { ComponentType } from 'react'
import type { DashboardCondition } from '../../dashboard-condition.ts'

export interface DashboardCardProps {
  readonly card: 'forecast' | 'anomalies' | 'live' | 'history' | 'bridge'
  readonly condition: DashboardCondition
  /** The last day of the dashboard's range. */
  readonly until: Day
  readonly today: Day
}

/** The cards beside the dashboard's own figures; their code is loaded after the dashboard's. */
export type LoadDashboardCards = () => Promise<{ readonly DashboardCards: ComponentType<DashboardCardProps> }>
