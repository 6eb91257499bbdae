import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { ComponentType } from 'react'
import type { ChangeMetric } from '../../core/web/change-drawer.gen.ts'
import type { DashboardCondition } from '../../dashboard-condition.ts'

/** A dashboard figure whose change is being explained. */
export interface ExplainedFigure {
  readonly metric: ChangeMetric
  /** The days of a table row; undefined: the whole range. */
  readonly part?: DayRange | undefined
}

export interface DashboardCardProps {
  readonly card: 'forecast' | 'anomalies' | 'live' | 'history' | 'bridge' | 'change'
  readonly condition: DashboardCondition
  /** The last day of the dashboard's range. */
  readonly until: Day
  readonly today: Day
  /** Of the card `change` alone: the figure that its drawer explains. */
  readonly explained?: ExplainedFigure & { readonly onClose: () => void }
}

/** Loads the cards below the dashboard's own figures, after the code of the dashboard itself. */
export type LoadDashboardCards = () => Promise<{ readonly DashboardCards: ComponentType<DashboardCardProps> }>
