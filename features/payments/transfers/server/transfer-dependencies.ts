import type { Clock } from '@pc/platform/clock.ts'
import type { Database } from '@pc/platform/postgres/database.ts'

export interface TransferFieldDependencies {
  readonly database: Database
  readonly clock: Clock
}
