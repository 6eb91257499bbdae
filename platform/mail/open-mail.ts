import path from 'node:path'
import nodemailer from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { outboxMail } from './outbox-mail.ts'
import { checkedMessage, type SendMail } from './send-mail.ts'

/** How mails leave: to the server that `SMTP_URL` names, otherwise into files in the data folder. */
export function openMail(
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  clock: Clock,
): SendMail {
  if (smtpUrl === undefined) return outboxMail(path.join(dataDir, 'outbox'), clock, mailFrom)
  const transport = nodemailer.createTransport(smtpUrl, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as object)
  return async mail => {
    await transport.sendMail(checkedMessage(mail, mailFrom, clock.now()))
  }
}
