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

/** How long a link in an email is valid. */
const LINK_SECONDS = 3600

/** An email with a secret link. */
export type LinkEmail =
  | { readonly kind: 'new-password'; readonly uid: string }
  | { readonly kind: 'new-email'; readonly uid: string; readonly email: string }

/**
 * Emails about changes that people make to their own accounts. Queued in the transaction, so that no screen waits for the
 * mail server, and no notice is lost while it is down for hours.
 */
export interface AccountEmails {
  send(tx: Transaction, mail: Mail): Promise<void>
  sendAll(tx: Transaction, mails: readonly Mail[]): Promise<void>
  sendLink(tx: Transaction, message: LinkEmail): Promise<void>
  /** An email about an account change. Its job finds the recipient and makes the link. */
  sendChange(tx: Transaction, changeId: bigint, message: ChangeEmail): Promise<void>
  openInvitation(tx: Transaction, message: { readonly uid: string; readonly senderUid: string }): Promise<void>
}

/**
 * The secret is made when the email is rendered, so that no secret waits in the queue. Retries end after about an hour,
 * by which time the person has asked again.
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

/** The email with a new link, which replaces unused ones; undefined when the account or the address is gone. */
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
