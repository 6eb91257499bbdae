import { randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import type { Clock } from '../clock.ts'
import { checkedMessage, type SendMail } from './send-mail.ts'

/**
 * Without an SMTP server every mail becomes an `.eml` file in a folder that only the operator can read. It is written
 * under another name first, so that every `.eml` file is complete.
 */
export function outboxMail(folder: string, clock: Clock, from = 'no-reply@localhost.localdomain'): SendMail {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async mail => {
    const { message } = await composer.sendMail(checkedMessage(mail, from, clock.now()))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${new Date(clock.now()).toISOString().replaceAll(':', '')}-${randomBytes(4).toString('hex')}`
    const draft = path.join(folder, `.${name}.draft`)
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(message)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path.join(folder, `${name}.eml`))
  }
}
