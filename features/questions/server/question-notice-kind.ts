import { defineJob } from '@pc/platform/jobs/job-kind.ts'

/** Emails the recipients of a thread's new message. */
export const QUESTION_NOTICE_JOB = defineJob<{ readonly questionId: string }>('question-notice')
