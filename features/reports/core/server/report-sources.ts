import type { Clock } from '@pc/platform/clock.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

/** The dependencies of reports. */
export interface ReportSources {
  readonly stats: StatsStore
  readonly database: Database
  readonly clock: Clock
  /** Publishers × days per part of reports by label (`label-report.ts`). Tests set it low to get several parts. */
  readonly publisherDayBatchSize?: number | undefined
}
