import path from 'node:path'
import nodemailer from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { outboxMail } from './outbox-mail.ts'
import { checkedMessage, type Mail, type SendMail } from './send-mail.ts'

/**
 * SMTP timeout. A client that gives up after the last byte but before the answer does not know whether the mail was
 * accepted, and would send it twice (RFC 5321, 4.5.3.2.6 requires ten minutes).
 */
const SILENCE_MS = 10 * 60_000

type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'supportContact'>

/** How mails are sent: over SMTP with `SMTP_URL`, otherwise as files in the data folder. */
export function openMail(settings: MailSettings, clock: Clock): SendMail {
  const { supportContact } = settings
  const send = openPost(settings, clock)
  if (supportContact === undefined) return send
  return (mail, options) => send(withContact(mail, supportContact), options)
}

/** Appends the support contact to every mail. The settings check guarantees that it holds no markup. */
function withContact(mail: Mail, contact: string): Mail {
  const line = `お問い合わせ：${contact}`
  const href = contact.includes('://') ? contact : `mailto:${contact}`
  const markup = `<p style="color:#555">お問い合わせ：<a href="${escaped(href)}">${escaped(contact)}</a></p>`
  return {
    ...mail,
    text: `${mail.text.trimEnd()}\n${line}\n`,
    html: mail.html?.replace('</body>', () => `${markup}\n</body>`),
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;')

function openPost({ smtpUrl, mailFrom, dataDir }: MailSettings, clock: Clock): SendMail {
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
