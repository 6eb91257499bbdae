import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB, PATIENT_DELIVERY } from '@pc/platform/mail/mail-job.ts'
import { writeLetter } from '@pc/platform/mail/render-email.ts'
import type { Mail, SendMail } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { confirmEmailHref, resetPasswordHref } from '../links.ts'
import { ACCOUNT_CHANGE_MAIL_JOB, type ChangeLetter } from './account-change-email.ts'
import { makeLink, voidLinks } from './one-time-link.ts'
import { openInvitation } from './people-email-job.ts'

const LINK_SECONDS = 3600

/** A letter whose link is a secret. */
export type LinkLetter =
  | { readonly kind: 'new-password'; readonly uid: string }
  | { readonly kind: 'new-email'; readonly uid: string; readonly email: string }

/**
 * The letters to whoever changes the own account. They leave after the transaction, by the queue: no screen waits for a
 * mail server, and one that is away for hours loses no notice.
 */
export interface AccountLetters {
  send(tx: Transaction, mail: Mail): Promise<void>
  sendAll(tx: Transaction, mails: readonly Mail[]): Promise<void>
  sendLink(tx: Transaction, letter: LinkLetter): Promise<void>
  /** About a change of the account: to whom and with which link, its job knows. */
  sendChange(tx: Transaction, changeId: bigint, letter: ChangeLetter): Promise<void>
  openInvitation(tx: Transaction, letter: { readonly uid: string; readonly senderUid: string }): Promise<void>
}

/**
 * The secret is made when the letter is written: none waits in the queue. After an hour of attempts the person has asked
 * again.
 */
const LINK_LETTER_JOB = defineJob<LinkLetter>('account-mail', { ...PATIENT_DELIVERY, retryLimit: 8 })

export function accountLetters(jobs: Jobs): AccountLetters {
  return {
    async send(tx, mail) {
      await jobs.enqueue(tx, MAIL_JOB, mail)
    },
    sendAll: (tx, mails) => jobs.enqueueAll(tx, MAIL_JOB, mails),
    async sendLink(tx, letter) {
      await jobs.enqueue(tx, LINK_LETTER_JOB, letter)
    },
    async sendChange(tx, changeId, letter) {
      await jobs.enqueue(tx, ACCOUNT_CHANGE_MAIL_JOB, { changeId: String(changeId), letter })
    },
    openInvitation: (tx, letter) => openInvitation(tx, jobs, letter),
  }
}

export function linkLetterJobHandler(parts: {
  readonly database: Database
  readonly sendMail: SendMail
  readonly webOrigin: string
}): JobHandler {
  return handleJob(LINK_LETTER_JOB, async (letter, { signal }) => {
    const mail = await parts.database.inScope(SYSTEM, tx => writeLinkLetter(tx, letter, parts.webOrigin))
    if (mail) await parts.sendMail(mail, { signal })
  })
}

/** With a new link, in place of those that were not used; undefined when the account or the address went meanwhile. */
export async function writeLinkLetter(
  tx: Transaction,
  letter: LinkLetter,
  webOrigin: string,
): Promise<Mail | undefined> {
  switch (letter.kind) {
    case 'new-password': {
      await voidLinks(tx, 'PasswordResetLink', letter.uid)
      const found = await sql<{ email: string }>`select u.email from users u join idp_accounts a on a.uid = u.uid
        where u.uid = ${letter.uid}::uuid and u.enabled`.execute(tx)
      const email = found.rows[0]?.email
      if (email === undefined) return undefined
      const secret = await makeLink(tx, 'PasswordResetLink', { accountId: letter.uid, email }, LINK_SECONDS)
      return newPasswordMail(email, `${webOrigin}${resetPasswordHref(secret)}`)
    }
    case 'new-email': {
      await voidLinks(tx, 'EmailChangeLink', letter.uid)
      const taken = await sql`select 1 from users where email = ${letter.email}`.execute(tx)
      if (taken.rows.length > 0) return undefined
      const payload = { accountId: letter.uid, email: letter.email }
      const secret = await makeLink(tx, 'EmailChangeLink', payload, LINK_SECONDS)
      return newEmailMail(letter.email, `${webOrigin}${confirmEmailHref(secret)}`)
    }
  }
}

function newPasswordMail(to: string, url: string): Mail {
  return writeLetter({
    to,
    subject: '【Publisher Center】パスワードの再設定',
    paragraphs: [
      'Publisher Center のパスワードを再設定する手続きを受け付けました。',
      '次のリンクを開き、新しいパスワードを設定してください。リンクは1時間有効で、一度だけ使用できます。',
    ],
    action: { label: 'パスワードを再設定する', url },
    mayBeThrownAway: true,
  })
}

function newEmailMail(to: string, link: string): Mail {
  return {
    to,
    subject: '【Publisher Center】メールアドレス変更の確認',
    text: `Publisher Center のメールアドレスを、このメールアドレスに変更する手続きを受け付けました。

次のリンクを開き、変更を確定してください。リンクは1時間有効で、一度だけ使用できます。
${link}

お心当たりがない場合は、このメールを破棄してください。変更は行われません。
`,
  }
}
