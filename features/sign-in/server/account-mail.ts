import type { AccountChange, AccountChangeRequest } from '@pc/domain/access/account-change.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { applyChange, endChange, insertChange, lockChange } from './account-change-store.ts'
import { accountEmails } from './account-emails.ts'
import { newAdministratorMails, type RolesOfPerson } from './new-administrator-emails.ts'
import { HAS_COME } from './notify-administrators.ts'

/**
 * Emails that a person may cause per hour: more than anybody invites by hand, and too few for a stolen session to do
 * much harm.
 */
const MAILS_PER_HOUR = 20

type TooMany = Refusal<'mail/too-many'> | undefined

/** Implements `AccountMailPort` of `features/access`. Emails leave after the transaction has committed. */
export function accountMail(database: Database, jobs: Jobs, isIssuerExternal: boolean) {
  const emails = accountEmails(jobs)
  return {
    isIssuerExternal,
    invite: (tx: Transaction, message: { readonly uid: string; readonly senderUid: string }) =>
      emails.openInvitation(tx, message),
    async postponeInvitations(
      tx: Transaction,
      { uids, senderUid }: { readonly uids: readonly string[]; readonly senderUid: string },
    ): Promise<void> {
      await sql`insert into invitations (uid, invited_by_uid, expires_at)
        select uid, ${senderUid}::uuid, now() from unnest(${[...uids]}::uuid[]) uid`.execute(tx)
    },
    async requestChange(
      tx: Transaction,
      request: AccountChangeRequest,
    ): Promise<Refusal<'user/change-pending'> | undefined> {
      const id = await insertChange(tx, request)
      if (id === undefined) return refusal('user/change-pending')
      await emails.sendChange(tx, id, 'requested')
      if (request.kind === 'email') await emails.sendChange(tx, id, 'confirm-new')
      return undefined
    },
    lockChange,
    applyChange: (tx: Transaction, change: AccountChange, by: { readonly uid: string; readonly requestId: string }) =>
      applyChange(tx, emails, change, by),
    withdrawChange: (tx: Transaction, change: AccountChange) => endChange(tx, change.id, 'withdrawn'),
    async notifyNewAdministrators(
      tx: Transaction,
      people: readonly RolesOfPerson[],
      givenByUid: string,
    ): Promise<void> {
      await emails.sendAll(tx, await newAdministratorMails(tx, people, givenByUid))
    },
    async notifyPeople(tx: Transaction, uids: readonly string[], what: keyof typeof ACCOUNT_EVENTS): Promise<void> {
      const found = await sql<{ email: string }>`select u.email from users u
        where u.uid = any(${[...uids]}::uuid[]) and ${HAS_COME}`.execute(tx)
      const [subject, text] = ACCOUNT_EVENTS[what]
      const mails = found.rows.map(({ email }) =>
        renderEmail({
          to: email,
          subject: `【Publisher Center】${subject}`,
          paragraphs: [text, 'お心当たりがない場合は、管理者にお問い合わせください。'],
        }),
      )
      await emails.sendAll(tx, mails)
    },
    async withSecondFactor(uids: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await database.inScope(SYSTEM, tx =>
        sql<{ uid: string }>`select distinct uid::text as uid from idp_authenticators
          where uid = any(${[...uids]}::uuid[])`.execute(tx),
      )
      return new Set(found.rows.map(row => row.uid))
    },
    countMails,
  }
}

const ACCOUNT_EVENTS = {
  disabled: [
    'アカウントが無効になりました',
    '管理者が、Publisher Center のあなたのアカウントを無効にしました。すべての端末でのサインインが終了し、有効に戻るまでサインインできません。',
  ],
  enabled: [
    'アカウントが有効になりました',
    '管理者が、Publisher Center のあなたのアカウントを有効に戻しました。これまでどおりサインインできます。',
  ],
  deleted: [
    'アカウントが削除されました',
    '管理者が、Publisher Center のあなたのアカウントを削除しました。今後、このメールアドレスではサインインできません。',
  ],
} as const

/** Serialised per sender, so that parallel requests cannot exceed the limit together. */
async function countMails(
  tx: Transaction,
  { senderUid, count }: { readonly senderUid: string; readonly count: number },
): Promise<TooMany> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${senderUid}`}, 7))`.execute(tx)
  const sent = await sql<{ count: number }>`select count(*)::int as count from sent_mails
    where sender_uid = ${senderUid}::uuid and sent_at > now() - interval '1 hour'`.execute(tx)
  if ((sent.rows[0]?.count ?? 0) + count > MAILS_PER_HOUR) return refusal('mail/too-many', [], { max: MAILS_PER_HOUR })
  await sql`insert into sent_mails (sender_uid) select ${senderUid}::uuid from generate_series(1, ${count}::int)`.execute(
    tx,
  )
  return undefined
}
