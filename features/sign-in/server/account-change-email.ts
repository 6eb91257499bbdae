import { ACCOUNT_CHANGE_DAYS, type AccountChangeKind } from '@pc/domain/access/account-change.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { EMAIL_RETRIES } from '@pc/platform/mail/mail-job.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail, SendMail } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { accountChangeHref } from '../links.ts'
import { makeLink } from './one-time-link.ts'

/**
 * - `requested`: to the person, who may agree or object.
 * - `confirm-new`: to the new address, to confirm that it is the person's.
 * - `done`: to the old address, which may still object.
 */
export type ChangeEmail = 'requested' | 'confirm-new' | 'done'

/** The secret of the link is made when the email is rendered, so that no secret waits in the queue. */
export const ACCOUNT_CHANGE_MAIL_JOB = defineJob<{ readonly changeId: string; readonly letter: ChangeEmail }>(
  'account-change-mail',
  EMAIL_RETRIES,
)

export interface ChangeMailDependencies {
  readonly database: Database
  readonly sendMail: SendMail
  readonly webOrigin: string
}

export function accountChangeMailHandler({ database, sendMail, webOrigin }: ChangeMailDependencies): JobHandler {
  return handleJob(ACCOUNT_CHANGE_MAIL_JOB, async ({ changeId, letter: message }, { signal }) => {
    const mail = await database.inScope(SYSTEM, tx => renderChangeEmail(tx, changeId, message, webOrigin))
    if (mail) await sendMail(mail, { signal })
  })
}

interface EmailedChange {
  readonly kind: AccountChangeKind
  readonly email: string
  readonly newEmail: string | null
  readonly isPending: boolean
  readonly isDone: boolean
  readonly isOwn: boolean
  readonly isNewFree: boolean
}

/** Undefined when the change has been decided in the meantime. */
export async function renderChangeEmail(
  tx: Transaction,
  changeId: string,
  message: ChangeEmail,
  webOrigin: string,
): Promise<Mail | undefined> {
  const found = await sql<EmailedChange>`select c.kind, c.email, c.new_email, c.requested_by_uid = c.uid as is_own,
      c.state = 'pending' and c.expires_at > now() and u.enabled as is_pending, c.state = 'done' as is_done,
      not exists (select from users o where o.email = c.new_email)
        and not app.is_email_reserved(c.new_email, c.uid) as is_new_free
    from account_changes c join users u on u.uid = c.uid where c.id = ${changeId}`.execute(tx)
  const [change] = found.rows
  if (!change || !(message === 'done' ? change.isDone : change.isPending)) return undefined
  // No email if the new address belongs to another account, so that the request does not reveal that account.
  if (message === 'confirm-new' && !change.isNewFree) return undefined
  const side = message === 'confirm-new' ? 'new' : 'old'
  await sql`delete from idp_payloads where model = 'AccountChangeLink'
    and payload ->> 'change' = ${changeId} and payload ->> 'side' = ${side}`.execute(tx)
  const secret = await makeLink(tx, 'AccountChangeLink', { change: changeId, side }, ACCOUNT_CHANGE_DAYS * 86_400)
  return WRITTEN[message](change, `${webOrigin}${accountChangeHref(secret)}`)
}

const DAYS = `リンクは${ACCOUNT_CHANGE_DAYS}日間有効です。`

const REQUESTED: Readonly<
  Record<AccountChangeKind, (change: EmailedChange) => readonly [subject: string, text: string]>
> = {
  email: ({ email, newEmail }) => [
    'メールアドレスの変更が依頼されました',
    `管理者が、Publisher Center のメールアドレスを ${email} から ${newEmail} に変更するよう依頼しました。まだ変更されていません。`,
  ],
  'second-factor': () => [
    '2段階認証の解除が依頼されました',
    '管理者が、Publisher Center の2段階認証（認証アプリ、パスキー、リカバリーコード）をすべて解除するよう依頼しました。まだ解除されていません。',
  ],
  invitation: () => [
    '会社のアカウントの切り替えが依頼されました',
    '管理者が、Publisher Center へのサインインに使う会社のアカウントを切り替えるよう依頼しました。まだ切り替わりません。',
  ],
}

const DONE: Readonly<Record<AccountChangeKind, (change: EmailedChange) => readonly [subject: string, text: string]>> = {
  email: ({ newEmail }) => [
    'メールアドレスが変更されました',
    `Publisher Center のメールアドレスが ${newEmail} に変更されました。今後、このメールアドレスではサインインできません。`,
  ],
  'second-factor': () => [
    '2段階認証が解除されました',
    'Publisher Center の2段階認証（認証アプリ、パスキー、リカバリーコード）がすべて解除されました。サインインしてから、アカウントの「セキュリティ」でもう一度設定してください。',
  ],
  invitation: () => [
    '会社のアカウントを切り替えられます',
    '会社のアカウントを切り替えるための招待メールを別にお送りしました。招待メールのリンクからサインインしたアカウントに切り替わります。',
  ],
}

const WRITTEN: Readonly<Record<ChangeEmail, (change: EmailedChange, url: string) => Mail>> = {
  requested(change, url) {
    const [subject, text] = REQUESTED[change.kind](change)
    return renderEmail({
      to: change.email,
      subject: `【Publisher Center】${subject}`,
      paragraphs: [
        text,
        `ご本人が希望した変更の場合は、リンクを開いて承認してください。お心当たりがない場合は、同じリンクから異議を申し立ててください。変更は行われません。${DAYS}`,
      ],
      action: { label: '内容を確認する', url },
    })
  },
  'confirm-new': ({ newEmail }, url) =>
    renderEmail({
      to: newEmail ?? '',
      subject: '【Publisher Center】メールアドレス変更の確認',
      paragraphs: [
        '管理者が、Publisher Center のメールアドレスをこのメールアドレスに変更するよう依頼しました。',
        `次のリンクを開いて、このメールアドレスが受信できることを確認してください。現在のメールアドレスでも承認されると、変更されます。${DAYS}`,
      ],
      action: { label: 'メールアドレスを確認する', url },
      mayBeThrownAway: true,
    }),
  done(change, url) {
    const [subject, text] = DONE[change.kind](change)
    return renderEmail({
      to: change.email,
      subject: `【Publisher Center】${subject}`,
      paragraphs: [
        `${text}${change.isOwn ? '' : 'すべての端末でのサインインは終了しています。'}`,
        `お心当たりがない場合は、次のリンクから異議を申し立ててください。サインインしていなくても、変更を元に戻せます。${DAYS}`,
      ],
      action: { label: '異議を申し立てる', url },
    })
  },
}
