import { lazy } from '@pc/ui/routing/lazy.ts'
import { Suspense } from 'react'
import type { DashboardCondition } from '../../dashboard-condition.ts'

const LiveTodayCard = lazy(() => import('./live-today-card.tsx').then(module => ({ default: module.LiveTodayCard })))

/** 本日の速報, whose code comes after the dashboard's own. */
export function LiveToday({ condition }: { condition: DashboardCondition }) {
  const { mediumId, organizationId, publisherId } = condition
  return (
    <Suspense fallback={<div style={{ height: SLIM_HEIGHT }} />}>
      <LiveTodayCard mediumId={mediumId} organizationId={organizationId} publisherId={publisherId} />
    </Suspense>
  )
}

/** Of the card without events. */
const SLIM_HEIGHT = 50
