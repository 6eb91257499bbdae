import { addDays, type Day } from '@pc/domain/month/day.ts'
import { completeDays } from '@pc/domain/report/complete-days.ts'
import { deliveredDays } from './arrival.ts'
import type { ReportSources } from './report-sources.ts'

/** Whether every medium that still delivers has delivered the day; undefined: of all media. */
export async function hasArrived(
  { stats }: Pick<ReportSources, 'stats'>,
  mediumIds: readonly bigint[] | undefined,
  day: Day,
): Promise<boolean> {
  const rows = await stats.query(deliveredDays({ from: addDays(day, -7), to: day }, mediumIds))
  const days = Map.groupBy(rows, row => row.medium_id as bigint)
  return completeDays(Array.from(days.values(), each => new Set(each.map(row => row.date as Day)))).has(day)
}
