import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { EMAIL_RETRIES, MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail, SendMail } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { confirmEmailHref, resetPasswordHref } from '../links.ts'
import { ACCOUNT_CHANGE_MAIL_JOB, type ChangeEmail } from './account-change-email.ts'
import { makeLink, voidLinks } from './one-time-link.ts'
import { openInvitation } from './people-email-job.ts'

const LINK_SECONDS = 3600

/** An email whose link is a secret. */
export type LinkEmail =
  | { readonly kind: 'new-password'; readonly uid: string }
  | { readonly kind: 'new-email'; readonly uid: string; readonly email: string }

/**
 * The emails to a person who changes the own account. They leave after the transaction, by the queue: no screen waits for a
 * mail server, and one that is away for hours loses no notice.
 */
export interface AccountEmails {
  send(tx: Transaction, mail: Mail): Promise<void>
  sendAll(tx: Transaction, mails: readonly Mail[]): Promise<void>
  sendLink(tx: Transaction, message: LinkEmail): Promise<void>
  /** About a change of the account: to whom and with which link, its job knows. */
  sendChange(tx: Transaction, changeId: bigint, message: ChangeEmail): Promise<void>
  openInvitation(tx: Transaction, message: { readonly uid: string; readonly senderUid: string }): Promise<void>
}

/**
 * The secret is made when the email is written: none waits in the queue. After an hour of attempts the person has asked
 * again.
 */
const LINK_EMAIL_JOB = defineJob<LinkEmail>('account-mail', { ...EMAIL_RETRIES, retryLimit: 8 })

export function accountEmails(jobs: Jobs): AccountEmails {
  return {
    async send(tx, mail) {
      await jobs.enqueue(tx, MAIL_JOB, mail)
    },
    sendAll: (tx, mails) => jobs.enqueueAll(tx, MAIL_JOB, mails),
    async sendLink(tx, message) {
      await jobs.enqueue(tx, LINK_EMAIL_JOB, message)
    },
    async sendChange(tx, changeId, message) {
      await jobs.enqueue(tx, ACCOUNT_CHANGE_MAIL_JOB, { changeId: String(changeId), letter: message })
    },
    openInvitation: (tx, message) => openInvitation(tx, jobs, message),
  }
}

export function linkEmailJobHandler(parts: {
  readonly database: Database
  readonly sendMail: SendMail
  readonly webOrigin: string
}): JobHandler {
  return handleJob(LINK_EMAIL_JOB, async (message, { signal }) => {
    const mail = await parts.database.inScope(SYSTEM, tx => renderLinkEmail(tx, message, parts.webOrigin))
    if (mail) await parts.sendMail(mail, { signal })
  })
}

/** With a new link, in place of those that were not used; undefined when the account or the address went meanwhile. */
export async function renderLinkEmail(
  tx: Transaction,
  message: LinkEmail,
  webOrigin: string,
): Promise<Mail | undefined> {
  switch (message.kind) {
    case 'new-password': {
      await voidLinks(tx, 'PasswordResetLink', message.uid)
      const found = await sql<{ email: string }>`select u.email from users u join idp_accounts a on a.uid = u.uid
        where u.uid = ${message.uid}::uuid and u.enabled`.execute(tx)
      const email = found.rows[0]?.email
      if (email === undefined) return undefined
      const secret = await makeLink(tx, 'PasswordResetLink', { accountId: message.uid, email }, LINK_SECONDS)
      return newPasswordMail(email, `${webOrigin}${resetPasswordHref(secret)}`)
    }
    case 'new-email': {
      await voidLinks(tx, 'EmailChangeLink', message.uid)
      const taken = await sql`select 1 from users where email = ${message.email}`.execute(tx)
      if (taken.rows.length > 0) return undefined
      const payload = { accountId: message.uid, email: message.email }
      const secret = await makeLink(tx, 'EmailChangeLink', payload, LINK_SECONDS)
      return newEmailMail(message.email, `${webOrigin}${confirmEmailHref(secret)}`)
    }
  }
}

function newPasswordMail(to: string, url: string): Mail {
  return renderEmail({
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
