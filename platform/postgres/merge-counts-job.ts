import { sql } from 'kysely'
import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import { type Database, SYSTEM } from './database.ts'

const MERGE_COUNTS_JOB = defineJob('merge-search-counts', { cron: '41 4 * * *' })

const OPTIONS = { statementTimeoutMs: 120_000 }

/**
 * Nightly: merges the partial counts that lists and searches use as totals. Every change adds a row of its own, so that
 * writers do not wait for one counter.
 */
export function mergeCountsJobHandler(database: Database): JobHandler {
  return handleJob(MERGE_COUNTS_JOB, async () => {
    await database.inScope(SYSTEM, tx => sql`select app.merge_piece_counts()`.execute(tx), OPTIONS)
    await database.inScope(SYSTEM, tx => sql`select app.merge_medium_article_counts()`.execute(tx), OPTIONS)
    await database.inScope(SYSTEM, tx => sql`select app.merge_statement_counts()`.execute(tx), OPTIONS)
  })
}
