import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'

/** At night: rewriting a month of a large store takes a while, and imports wait meanwhile. */
const COMPACT_JOB = defineJob('compact-statistics', { cron: '41 3 * * *', retryLimit: 1, timeoutSeconds: 3600 })
const FOLD_TIMEOUT_MS = 60_000

/** Adds up the changes of the day in `app.medium_article_counts`; the counts stay what they are. */
export function foldArticleCounts(database: Database): Promise<void> {
  return database.inScope(
    SYSTEM,
    async tx => {
      await sql`select app.fold_medium_article_counts()`.execute(tx)
    },
    { statementTimeoutMs: FOLD_TIMEOUT_MS },
  )
}

/** Months that are over and came in day by day are put in the order in which reports read them. */
export function compactStatisticsHandler(stats: StatsStore, database: Database, clock: Clock, log: Log): JobHandler {
  return handleJob(COMPACT_JOB, async () => {
    await foldArticleCounts(database)
    const months = await stats.compact(monthOfDay(today(clock)))
    if (months.length > 0) log.info({ months }, 'months of the statistics were put in order')
  })
}
