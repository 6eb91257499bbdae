import { defineJob, handleJob, type JobHandler } from '../jobs/job-kind.ts'
import type { Mail, SendMail } from './send-mail.ts'

/** Retries for about three days, later ones hourly: a mail server that is down over a long weekend loses no mail. */
export const EMAIL_RETRIES = {
  retryLimit: 80,
  retryDelaySeconds: 15,
  // Longer than the SMTP timeout of ten minutes: a second attempt beside the first would send the mail twice.
  timeoutSeconds: 15 * 60,
  concurrency: 4,
}

/**
 * Sends a mail after the transaction has committed: `jobs.enqueue(tx, MAIL_JOB, mail)`. Delivery is at least once:
 * after a crash it may be sent twice, with the same Message-ID.
 */
export const MAIL_JOB = defineJob<Mail>('mail', EMAIL_RETRIES)

export function mailJobHandler(send: SendMail): JobHandler {
  return handleJob(MAIL_JOB, (mail, { id, signal }) => send(mail, { id, signal }))
}
