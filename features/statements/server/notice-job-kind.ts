import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Tells the payees of statements that were issued or answered. */
export const STATEMENT_NOTICE_JOB = defineJob<{ readonly statementIds: readonly string[] }>('statement-notice')
