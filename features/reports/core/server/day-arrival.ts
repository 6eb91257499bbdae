import { addDays, type Day } from '@pc/domain/month/day.ts'
import { completeDays } from '@pc/domain/report/complete-days.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { deliveredDays } from './arrival.ts'
import type { ReportSources } from './report-sources.ts'

/** Whether every medium that still delivers has delivered the day. @param mediumIds undefined: all media */
export async function hasArrived(
  { stats }: Pick<ReportSources, 'stats'>,
  mediumIds: readonly bigint[] | undefined,
  day: Day,
): Promise<boolean> {
  const rows = await stats.query(deliveredDays({ from: addDays(day, -7), to: day }, mediumIds))
  const days = Map.groupBy(rows, row => row.medium_id as bigint)
  return completeDays(Array.from(days.values(), each => new Set(each.map(row => row.date as Day)))).has(day)
}

/** A day may be delivered in parts. After an hour without a delivery it counts as complete. */
const SETTLED_MS = 60 * 60_000

/** Whether no delivery of daily figures was applied within the last hour or is being applied, for any medium. */
export async function haveDeliveriesSettled({
  database,
  clock,
}: Pick<ReportSources, 'database' | 'clock'>): Promise<boolean> {
  const [recent] = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('ingestBatches')
      .select('batchNo')
      .where('dataset', '=', 'summary-daily')
      .where(eb => eb.or([eb('state', '=', 'applying'), eb('appliedAt', '>', new Date(clock.now() - SETTLED_MS))]))
      .limit(1)
      .execute(),
  )
  return recent === undefined
}
