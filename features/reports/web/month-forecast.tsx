import { lazy, Suspense } from 'react'
import type { DashboardCondition } from '../dashboard-condition.ts'
import styles from './dashboard.module.css'

const MonthForecastCard = lazy(() =>
  import('./month-forecast-card.tsx').then(module => ({ default: module.MonthForecastCard })),
)

/** 着地見込み of the running month, whose code comes after the dashboard's own. Its place is kept free. */
export function MonthForecast({ condition }: { condition: DashboardCondition }) {
  const { mediumId, organizationId, publisherId } = condition
  return (
    <div className={styles.forecast}>
      <Suspense fallback={null}>
        <MonthForecastCard mediumId={mediumId} organizationId={organizationId} publisherId={publisherId} />
      </Suspense>
    </div>
  )
}
