import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import type { ExplainedMetric } from './dashboard-card-props.ts'

const ChangeDrawer = lazyPart(async () => (await import('../../core/web/change-drawer.tsx')).ChangeDrawer)

interface DashboardChangeProps {
  metric: ExplainedMetric
  condition: DashboardCondition
  today: Day
  onClose: () => void
}

/** Why a key figure changed. Without a chosen comparison it is set against the days before, as the figure is. */
export function DashboardChange({ metric, condition, today, onClose }: DashboardChangeProps) {
  const { compareWith } = condition
  return (
    <ChangeDrawer
      metric={metric}
      range={chosenRange(condition, today)}
      compareWith={compareWith === 'none' ? 'previous_period' : compareWith}
      entities={entitiesOf(condition)}
      onClose={onClose}
    />
  )
}
