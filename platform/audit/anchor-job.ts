import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import type { Database } from '../postgres/database.ts'
import { writeAnchor } from './anchor-file.ts'
import type { AnchorStore } from './anchor-store.ts'

const ANCHOR_JOB = defineJob('audit-anchor', { cron: '*/5 * * * *', retryLimit: 1 })

/** Every five minutes: writes the end of the audit chain to the anchor store. */
export function anchorJobHandler(database: Database, anchors: AnchorStore): JobHandler {
  return handleJob(ANCHOR_JOB, async () => {
    await writeAnchor(database, anchors)
  })
}
