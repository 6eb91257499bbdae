import { lazy, Suspense } from 'react'
import type { DashboardCondition } from '../dashboard-condition.ts'

const SuddenChangesCard = lazy(() =>
  import('./sudden-changes-card.tsx').then(module => ({ default: module.SuddenChangesCard })),
)

/** 急な変化, whose code comes after the dashboard's own. Nothing is shown while nothing goes on. */
export function SuddenChanges({ condition }: { condition: DashboardCondition }) {
  const { mediumId, organizationId, publisherId } = condition
  return (
    <Suspense fallback={null}>
      <SuddenChangesCard mediumId={mediumId} organizationId={organizationId} publisherId={publisherId} />
    </Suspense>
  )
}
