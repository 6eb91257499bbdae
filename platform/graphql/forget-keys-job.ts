import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import { type Database, SYSTEM } from '../postgres/database.ts'
import { forgetOldKeys } from './idempotency-key.ts'

const FORGET_KEYS_JOB = defineJob('forget-idempotency-keys', { cron: '17 4 * * *' })

/** Nightly: deletes idempotency keys older than seven days, of all people (hence SYSTEM scope). */
export function forgetKeysJobHandler(database: Database): JobHandler {
  return handleJob(FORGET_KEYS_JOB, async () => {
    await database.inScope(SYSTEM, forgetOldKeys)
  })
}
