import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Recomputes a month and checks it; once more is never wrong. */
export const COMPUTE_JOB = defineJob<{
  readonly mediumId: string
  readonly month: number
  /** Who asked for it, and has to be another person than who finalises; absent: it follows from an entry. */
  readonly actorUid?: string
}>('settle-month', {
  onePerKey: false,
  retryLimit: 5,
  retryDelaySeconds: 2,
  timeoutSeconds: 600,
})
