import type { Clock } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { purgeExpired } from './purge-expired.ts'

/** Runs at night, and again in the morning in case the night failed. A second run finds nothing left. */
const RETENTION_JOB = defineJob('retention', { cron: '40 3,6 * * *', onePerKey: true, timeoutSeconds: 1800 })

export function retentionJobHandler(database: Database, clock: Clock, log: Log): JobHandler {
  return handleJob(RETENTION_JOB, async (_data, job) => {
    const done = await purgeExpired(database, clock, job.signal)
    const some = done.filter(each => each.deleted > 0n || each.held > 0n)
    for (const { kind, deleted, held } of some)
      log.info({ kind, deleted: Number(deleted), held: Number(held) }, 'what was over was deleted')
  })
}
