import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Computes a month anew and checks it; once more is never wrong, so one waiting job for each month is enough. */
export const COMPUTE_JOB = defineJob<{ readonly mediumId: string; readonly month: number }>('settle-month', {
  onePerKey: false,
  retryLimit: 5,
  retryDelaySeconds: 2,
  timeoutSeconds: 600,
})
