import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { MonthEntryPort, MonthRules } from '../../core/server/month-entry-port.ts'

export interface ManualOperationDependencies<Rules extends MonthRules = MonthRules> {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly months: MonthEntryPort<Rules>
}
