import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import { type AnomalyCheckDependencies, checkAnomalies } from './check-anomalies.ts'

/** Every hour, as nobody knows when a day arrives: a day that has been looked at costs two small questions. */
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
