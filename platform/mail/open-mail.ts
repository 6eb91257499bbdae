import path from 'node:path'
import nodemailer from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { outboxMail } from './outbox-mail.ts'
import { checkedMessage, type SendMail } from './send-mail.ts'

/**
 * A server may take its time: whoever gives up after the last byte and before the answer does not know whether the mail
 * was taken, and sends it twice (RFC 5321, 4.5.3.2.6).
 */
const SILENCE_MS = 10 * 60_000

/** How mails leave: to the server that `SMTP_URL` names, otherwise into files in the data folder. */
export function openMail(
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  clock: Clock,
): SendMail {
  if (smtpUrl === undefined) return outboxMail(path.join(dataDir, 'outbox'), clock, mailFrom)
  const transport = nodemailer.createTransport(smtpUrl, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: SILENCE_MS,
  } as object)
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1)
  return async (mail, { signal, id } = {}) => {
    await transport.sendMail({
      ...checkedMessage(mail, mailFrom, clock.now()),
      ...(signal ? { signal } : {}),
      ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
    })
  }
}
