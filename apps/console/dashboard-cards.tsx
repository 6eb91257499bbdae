import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import { AnomaliesCard } from '@pc/features/reports/anomalies/web/anomalies-card.tsx'
import type { DashboardCardProps } from '@pc/features/reports/dashboard/web/dashboard-card-props.ts'
import { DashboardChange } from '@pc/features/reports/dashboard/web/dashboard-change.tsx'
import { OwnHistory } from '@pc/features/reports/fairness/web/own-history.tsx'
import { MonthBridge } from '@pc/features/reports/forecast/web/month-bridge.tsx'
import { MonthForecastCard } from '@pc/features/reports/forecast/web/month-forecast-card.tsx'
import { LiveTodayCard } from '@pc/features/reports/live/web/live-today-card.tsx'

/** Cards of other features on the dashboard, in a chunk that loads after the dashboard's own. */
export function DashboardCards({ card, condition, until, today, explained }: DashboardCardProps) {
  const ids = entitiesOf(condition)
  switch (card) {
    case 'forecast':
      return <MonthForecastCard {...ids} today={today} />
    case 'anomalies':
      return <AnomaliesCard {...ids} />
    case 'live':
      return <LiveTodayCard {...ids} />
    case 'history':
      return <OwnHistory {...ids} />
    case 'bridge':
      return <MonthBridge condition={condition} until={until} today={today} />
    case 'change':
      return explained && <DashboardChange condition={condition} today={today} {...explained} />
  }
}
