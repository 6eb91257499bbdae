import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Notifies payees of statements that were issued or answered, and staff of objections. */
export const STATEMENT_NOTICE_JOB = defineJob<{ readonly statementIds: readonly string[] }>('statement-notice')
