import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import type { Mail, SendMail } from './send-mail.ts'

/** A server that is away for a long weekend loses no mail: about three days of attempts, the later ones hourly. */
export const EMAIL_RETRIES = {
  retryLimit: 80,
  retryDelaySeconds: 15,
  // Longer than a server may be silent: a second attempt beside the first would send the mail twice.
  timeoutSeconds: 15 * 60,
  concurrency: 4,
}

/**
 * A mail that leaves after its transaction has committed: `jobs.enqueue(tx, MAIL_JOB, mail)`. It is sent at least once;
 * a crash between sending and noting may send it twice, with the same Message-ID.
 */
export const MAIL_JOB = defineJob<Mail>('mail', EMAIL_RETRIES)

export function mailJobHandler(send: SendMail): JobHandler {
  return handleJob(MAIL_JOB, (mail, { id, signal }) => send(mail, { id, signal }))
}
