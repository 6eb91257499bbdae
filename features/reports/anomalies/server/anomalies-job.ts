import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import { type AnomalyCheckDependencies, checkAnomalies } from './check-anomalies.ts'

/** Hourly, because a day's figures may arrive at any time. When there is no new day, a run costs two small queries. */
const ANOMALIES_JOB = defineJob('sudden-changes', {
  cron: '17 * * * *',
  timeoutSeconds: 1_200,
  retryLimit: 0, // the next hour's comes anyway
  onePerKey: true,
})

export function anomaliesHandler(dependencies: AnomalyCheckDependencies, log: Log): JobHandler {
  return handleJob(ANOMALIES_JOB, async (_data, { signal }) => {
    for (const { mediumId, ...found } of await checkAnomalies(dependencies, signal)) {
      log.info({ mediumId: String(mediumId), ...found }, 'sudden changes of a day were looked for')
    }
  })
}
