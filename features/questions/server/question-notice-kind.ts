import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Mails whom a new message of a thread concerns. */
export const QUESTION_NOTICE_JOB = defineJob<{ readonly questionId: string }>('question-notice')
