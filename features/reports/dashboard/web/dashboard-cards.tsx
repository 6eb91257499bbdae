import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { type EntityCondition, entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Allow } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import type { ComponentType } from 'react'
import type { ChangeMetric } from '../../core/web/change-drawer.gen.ts'
import type { DashboardCondition } from '../../dashboard-condition.ts'

/** A dashboard figure whose change is being explained. */
export interface ExplainedFigure {
  readonly metric: ChangeMetric
  /** The days of a table row; undefined: the whole range. */
  readonly part?: DayRange | undefined
}

/** A card is told the dashboard's media, organisations and publishers, but no labels: its figures are not split by them. */
export interface DashboardCardProps extends EntityCondition {
  /** The last day of the dashboard's range. */
  readonly until: Day
  readonly today: Day
}

/** Below the key figures, below the chart, or above the table. */
type CardPlace = 'top' | 'middle' | 'bottom'

/** A card of the dashboard. It sends its query itself. */
export interface DashboardCard {
  readonly place: CardPlace
  /** The right that it needs beside the dashboard's own. */
  readonly allow?: Allow
  readonly Card: ComponentType<DashboardCardProps>
}

interface DashboardCardsProps {
  readonly place: CardPlace
  readonly viewer: Viewer
  readonly condition: DashboardCondition
  readonly until: Day
  readonly today: Day
}

/** Loads the cards, after the code of the dashboard itself. */
export type LoadDashboardCards = () => Promise<{ readonly DashboardCards: ComponentType<DashboardCardsProps> }>

/** A component that draws the cards of one place, in their order. */
export function dashboardCards(cards: readonly DashboardCard[]) {
  return ({ place, viewer, condition, until, today }: DashboardCardsProps) =>
    cards
      .filter(card => card.place === place && (!card.allow || viewer.can(card.allow.action, card.allow.resource)))
      .map(card => <card.Card key={cards.indexOf(card)} {...entitiesOf(condition)} {...{ until, today }} />)
}
