import type { Clock } from '@pc/platform/clock.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

/** What reports are read from. */
export interface ReportSources {
  readonly stats: StatsStore
  readonly database: Database
  readonly clock: Clock
  /** By author, section and tag: so many days of publishers are read at a time; set where less is to be a lot. */
  readonly publisherDayBatchSize?: number | undefined
}
