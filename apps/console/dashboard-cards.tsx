import { AnomaliesCard } from '@pc/features/reports/anomalies/web/anomalies-card.tsx'
import { dashboardCards } from '@pc/features/reports/dashboard/web/dashboard-cards.tsx'
import { OwnHistory } from '@pc/features/reports/fairness/web/own-history.tsx'
import { MonthBridge } from '@pc/features/reports/forecast/web/month-bridge.tsx'
import { MonthForecastCard } from '@pc/features/reports/forecast/web/month-forecast-card.tsx'
import { LiveTodayCard } from '@pc/features/reports/live/web/live-today-card.tsx'

/** Cards of other rooms on the dashboard, in a chunk that loads after the dashboard's own. */
export const DashboardCards = dashboardCards([
  { place: 'top', Card: MonthForecastCard },
  { place: 'middle', Card: AnomaliesCard },
  { place: 'middle', Card: LiveTodayCard },
  { place: 'bottom', Card: OwnHistory },
  {
    place: 'bottom',
    allow: { action: 'read:list', resource: 'insight:monthly_publisher_payment.' },
    Card: MonthBridge,
  },
])
