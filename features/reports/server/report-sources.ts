import type { Clock } from '@pc/platform/clock.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

/** What reports are read from. */
export interface ReportSources {
  readonly stats: StatsStore
  readonly database: Database
  readonly clock: Clock
}
