import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

/** At night, because imports wait while a month is rewritten, which can take long in a large store. */
const COMPACT_JOB = defineJob('compact-statistics', { cron: '41 3 * * *', retryLimit: 1, timeoutSeconds: 3600 })

/** Sorts finished months, which arrived day by day, into the order in which reports read them. */
export function compactStatisticsHandler(stats: StatsStore, clock: Clock, log: Log): JobHandler {
  return handleJob(COMPACT_JOB, async () => {
    const months = await stats.compact(monthOfDay(today(clock)))
    if (months.length > 0) log.info({ months }, 'months of the statistics were put in order')
  })
}
