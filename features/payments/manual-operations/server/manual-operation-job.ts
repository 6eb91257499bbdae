import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import { failManualOperation, runManualOperation } from './run-manual-operation.ts'

export const MANUAL_OPERATION_JOB = defineJob<{ readonly dividendId: string }>('dividend', {
  retryLimit: 4,
  retryDelaySeconds: 2,
  timeoutSeconds: 300,
  concurrency: 2,
})

/** Books a manual operation. After the last retry it is marked as failed, and nothing is booked. */
export function manualOperationJobHandler(dependencies: ManualOperationDependencies, log: Log): JobHandler {
  return handleJob(MANUAL_OPERATION_JOB, async ({ dividendId }, job) => {
    const id = BigInt(dividendId)
    try {
      await runManualOperation(dependencies, id)
    } catch (error) {
      if (job.retries < MANUAL_OPERATION_JOB.retryLimit) throw error
      log.error({ err: error, dividendId }, 'a dividend could not be booked')
      await failManualOperation(dependencies, id, 'dividend/unexpected-failure')
    }
  })
}
