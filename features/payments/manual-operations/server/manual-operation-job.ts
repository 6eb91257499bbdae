import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import type { DividendParts } from './manual-operation-parts.ts'
import { failDividend, runDividend } from './run-manual-operation.ts'

export const DIVIDEND_JOB = defineJob<{ readonly dividendId: string }>('dividend', {
  retryLimit: 4,
  retryDelaySeconds: 2,
  timeoutSeconds: 300,
  concurrency: 2,
})

/** Runs a dividend; when it cannot be run again and again, the dividend says so, and nothing is booked. */
export function dividendJobHandler(parts: DividendParts, log: Log): JobHandler {
  return handleJob(DIVIDEND_JOB, async ({ dividendId }, job) => {
    const id = BigInt(dividendId)
    try {
      await runDividend(parts, id)
    } catch (error) {
      if (job.retries < DIVIDEND_JOB.retryLimit) throw error
      log.error({ err: error, dividendId }, 'a dividend could not be booked')
      await failDividend(parts, id, 'dividend/unexpected-failure')
    }
  })
}
