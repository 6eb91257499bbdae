import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import { type Mail, mailAddress, type SendMail } from './send-mail.ts'

const encodedWord = (text: string) => `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`

function message(mail: Mail, clock: Clock): string {
  const body = Buffer.from(mail.text, 'utf8').toString('base64').replace(/.{76}/g, '$&\r\n')
  return [
    'From: Publisher Center <no-reply@localhost>',
    `To: <${mail.to}>`,
    `Subject: ${encodedWord(mail.subject)}`,
    `Date: ${new Date(clock.now()).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: base64',
    '',
    body,
    '',
  ].join('\r\n')
}

/** Mail of the embedded default: one `.eml` file each in a folder that only the operator can read. */
export function outboxMail(folder: string, clock: Clock): SendMail {
  return async mail => {
    if (mailAddress(mail.to) !== mail.to) throw new Error('not a mail address')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${new Date(clock.now()).toISOString().replaceAll(':', '')}-${randomBytes(4).toString('hex')}.eml`
    await writeFile(path.join(folder, name), message(mail, clock), { mode: 0o600, flag: 'wx' })
  }
}
