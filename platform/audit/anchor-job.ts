import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import type { Database } from '../postgres/database.ts'
import { writeAnchor } from './anchor-file.ts'

const ANCHOR_JOB = defineJob('audit-anchor', { cron: '*/5 * * * *', retryLimit: 1 })

/** Every five minutes the end of the chain is written outside of the database. */
export function anchorJobHandler(database: Database, dataDir: string): JobHandler {
  return handleJob(ANCHOR_JOB, async () => {
    await writeAnchor(database, dataDir)
  })
}
