import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Computes a month again and checks its invariants. It can be repeated at any time. */
export const COMPUTE_JOB = defineJob<{
  readonly mediumId: string
  readonly month: number
  /** Who asked for the computation and so counts as a preparer of the month; absent: it follows from an entry. */
  readonly actorUid?: string
}>('settle-month', {
  onePerKey: false,
  retryLimit: 5,
  retryDelaySeconds: 2,
  timeoutSeconds: 600,
})
