import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** The statistics of these months have changed: drafts are computed again, finalised months are corrected in a later one. */
export const LATE_FIGURES_JOB = defineJob<{ readonly months: readonly number[] }>('statistics-changed', {
  retryLimit: 20,
  retryDelaySeconds: 5,
  timeoutSeconds: 900,
})
