import { SuddenChangesCard } from '../../anomalies/web/anomalies-card.tsx'
import type { DashboardCondition } from '../../dashboard-condition.ts'
import { OwnHistory } from '../../fairness/web/own-history.tsx'
import { MonthForecastCard } from '../../forecast/web/month-forecast-card.tsx'

const PARTS = { forecast: MonthForecastCard, changes: SuddenChangesCard, history: OwnHistory } as const

/** What stands on the dashboard beside the figures that were asked for; its code comes after the dashboard's own. */
export function DashboardPart({ part, condition }: { part: keyof typeof PARTS; condition: DashboardCondition }) {
  const Part = PARTS[part]
  const { mediumId, organizationId, publisherId } = condition
  return <Part mediumId={mediumId} organizationId={organizationId} publisherId={publisherId} />
}
