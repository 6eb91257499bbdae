import type { Clock } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { forgetRows } from './import-store.ts'

/** Hourly, so that addresses and account numbers of old previews are purged even when nobody uploads another file. */
const FORGET_IMPORTS_JOB = defineJob('forget-imports', { cron: '23 * * * *' })

export function forgetImportsHandler(database: Database, clock: Clock): JobHandler {
  return handleJob(FORGET_IMPORTS_JOB, () => database.inScope(SYSTEM, tx => forgetRows(tx, new Date(clock.now()))))
}
