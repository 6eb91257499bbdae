import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import type { Mail, SendMail } from './send-mail.ts'

/**
 * A mail that leaves after its transaction has committed: `jobs.enqueue(tx, MAIL_JOB, mail)`. It is sent at least once;
 * a crash between sending and noting may send it twice.
 */
export const MAIL_JOB = defineJob<Mail>('mail', {
  retryLimit: 8,
  retryDelaySeconds: 15,
  timeoutSeconds: 60,
  concurrency: 2,
})

export function mailJobHandler(send: SendMail): JobHandler {
  return handleJob(MAIL_JOB, mail => send(mail))
}
