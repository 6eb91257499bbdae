import { type EntityCondition, entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { Suspense } from 'react'

const LiveTodayCard = lazy(() => import('./live-today-card.tsx').then(module => ({ default: module.LiveTodayCard })))

/** 本日の速報, whose code comes after the dashboard's own. */
export function LiveToday({ condition }: { condition: EntityCondition }) {
  return (
    <Suspense fallback={<div style={{ height: SLIM_HEIGHT }} />}>
      <LiveTodayCard {...entitiesOf(condition)} />
    </Suspense>
  )
}

/** Of the card without events. */
const SLIM_HEIGHT = 50
