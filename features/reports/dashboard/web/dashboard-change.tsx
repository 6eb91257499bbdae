import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import type { ExplainedFigure } from './dashboard-cards.tsx'

const ChangeDrawer = lazyPart(async () => (await import('../../core/web/change-drawer.tsx')).ChangeDrawer)

interface DashboardChangeProps extends ExplainedFigure {
  condition: DashboardCondition
  today: Day
  onClose: () => void
}

/** Explains a change. Without a chosen comparison it compares with the preceding days, as the key figures do. */
export function DashboardChange({ metric, part, condition, today, onClose }: DashboardChangeProps) {
  const { compareWith } = condition
  const range = chosenRange(condition, today)
  return (
    <ChangeDrawer
      figure={{
        metric,
        ...(part ? { range: part, within: range } : { range }),
        compareWith: compareWith === 'none' ? 'previous_period' : compareWith,
        filter: entitiesOf(condition),
      }}
      onClose={onClose}
    />
  )
}
