import { createHash, randomBytes } from 'node:crypto'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { PATIENT_DELIVERY } from '@pc/platform/mail/mail-job.ts'
import type { Mail, SendMail } from '@pc/platform/mail/send-mail.ts'
import { writeLetter } from '@pc/platform/mail/write-letter.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { acceptInvitationHref, confirmEmailHref, signInHref } from '../links.ts'
import { HOME_PATH } from '../original-path.ts'
import { makeLink, voidLinks } from './one-time-link.ts'

/** Security figures, 32. */
const MAILS_PER_HOUR = 20
const INVITATION_HOURS = 72
const CONFIRMATION_SECONDS = 86_400

type PeopleLetter =
  | { readonly kind: 'invitation'; readonly uid: string }
  | { readonly kind: 'confirm-email'; readonly uid: string; readonly email: string }
  | { readonly kind: 'second-factor-reset'; readonly uid: string }

/** The secret of the link is made when the letter is written: none waits in the queue. A repetition voids the one before. */
const PEOPLE_MAIL_JOB = defineJob<PeopleLetter>('people-mail', PATIENT_DELIVERY)

export interface PeopleMailer {
  invite(tx: Transaction, letter: { readonly uid: string; readonly senderUid: string }): Promise<TooMany>
  confirmEmail(
    tx: Transaction,
    letter: { readonly uid: string; readonly email: string; readonly senderUid: string },
  ): Promise<TooMany>
  resetSecondFactor(
    tx: Transaction,
    person: { readonly uid: string; readonly senderUid: string },
  ): Promise<number | Refusal<'mail/too-many'>>
  withSecondFactor(uids: readonly string[]): Promise<ReadonlySet<string>>
  countFailure(senderUid: string): Promise<void>
}
type TooMany = Refusal<'mail/too-many'> | undefined

/** Letters that the administration of people asks for; they leave after its transaction has committed. */
export function peopleMailer(database: Database, jobs: Jobs): PeopleMailer {
  return {
    async invite(tx, { uid, senderUid }) {
      const tooMany = await countMail(tx, senderUid)
      if (tooMany) return tooMany
      await sql`insert into invitations (uid, invited_by_uid, expires_at)
        values (${uid}::uuid, ${senderUid}::uuid, now() + ${INVITATION_HOURS} * interval '1 hour')
        on conflict (uid) do update set secret_sha256 = null, invited_by_uid = excluded.invited_by_uid,
          invited_at = now(), expires_at = excluded.expires_at, accepted_at = null`.execute(tx)
      await jobs.enqueue(tx, PEOPLE_MAIL_JOB, { kind: 'invitation', uid })
      return undefined
    },
    async confirmEmail(tx, { uid, email, senderUid }) {
      const tooMany = await countMail(tx, senderUid)
      if (tooMany) return tooMany
      await jobs.enqueue(tx, PEOPLE_MAIL_JOB, { kind: 'confirm-email', uid, email })
      return undefined
    },
    async resetSecondFactor(tx, { uid, senderUid }) {
      const reset = await sql<{ count: number }>`select app.reset_second_factors_of(${uid}::uuid) as count`.execute(tx)
      const count = reset.rows[0]?.count ?? 0
      if (count === 0) return 0
      const tooMany = await countMail(tx, senderUid)
      if (tooMany) return tooMany
      await jobs.enqueue(tx, PEOPLE_MAIL_JOB, { kind: 'second-factor-reset', uid })
      return count
    },
    async withSecondFactor(uids) {
      const found = await database.inScope(SYSTEM, tx =>
        sql<{ uid: string }>`select distinct uid::text as uid from idp_authenticators
          where uid = any(${[...uids]}::uuid[])`.execute(tx),
      )
      return new Set(found.rows.map(row => row.uid))
    },
    async countFailure(senderUid) {
      await database.inScope(SYSTEM, tx =>
        sql`insert into sent_mails (sender_uid) values (${senderUid}::uuid)`.execute(tx),
      )
    },
  }
}

/** One after the other for one sender, so that parallel requests do not pass the limit together. */
async function countMail(tx: Transaction, senderUid: string): Promise<TooMany> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${senderUid}`}, 7))`.execute(tx)
  const sent = await sql<{ count: number }>`select count(*)::int as count from sent_mails
    where sender_uid = ${senderUid}::uuid and sent_at > now() - interval '1 hour'`.execute(tx)
  if ((sent.rows[0]?.count ?? 0) >= MAILS_PER_HOUR) return refusal('mail/too-many', [], { max: MAILS_PER_HOUR })
  await sql`insert into sent_mails (sender_uid) values (${senderUid}::uuid)`.execute(tx)
  return undefined
}

export interface PeopleMailParts {
  readonly database: Database
  readonly sendMail: SendMail
  readonly webOrigin: string
  /** With an external issuer nobody chooses a password here: the letter only shows the way in. */
  readonly isOidcEmbedded: boolean
}

export function peopleMailJobHandler(parts: PeopleMailParts): JobHandler {
  return handleJob(PEOPLE_MAIL_JOB, (letter, { signal }) => {
    const attempt = { ...parts, sendMail: (mail: Mail) => parts.sendMail(mail, { signal }) }
    switch (letter.kind) {
      case 'invitation':
        return sendInvitation(attempt, letter.uid)
      case 'confirm-email':
        return sendConfirmation(attempt, letter.uid, letter.email)
      case 'second-factor-reset':
        return sendResetNotice(attempt, letter.uid)
    }
  })
}

async function sendResetNotice({ database, sendMail, webOrigin }: PeopleMailParts, uid: string): Promise<void> {
  const found = await database.inScope(SYSTEM, tx =>
    sql<{ email: string }>`select email from users where uid = ${uid}::uuid`.execute(tx),
  )
  const person = found.rows[0]
  if (!person) return
  await sendMail(
    writeLetter({
      to: person.email,
      subject: '【Publisher Center】2段階認証が解除されました',
      paragraphs: [
        '管理者が、Publisher Center の2段階認証（認証アプリ、パスキー、リカバリーコード）をすべて解除しました。すべての端末でのサインインは終了しています。',
        'パスワードでサインインしてから、アカウントの「セキュリティ」で2段階認証をもう一度設定してください。',
        'お心当たりがない場合は、すぐに管理者へご連絡ください。',
      ],
      action: { label: 'サインインする', url: `${webOrigin}${signInHref(HOME_PATH)}` },
    }),
  )
}

/** The hash by which an invitation is found again. */
export function invitationHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

async function sendInvitation(parts: PeopleMailParts, uid: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const invited = await parts.database.inScope(SYSTEM, tx =>
    sql<{ email: string; organization: string | null }>`
      update invitations i set secret_sha256 = ${invitationHash(secret)}
      from users u left join organizations o on o.id = u.organization_id
      where i.uid = ${uid}::uuid and u.uid = i.uid and u.enabled and i.accepted_at is null and i.expires_at > now()
      returning u.email, o.name as organization`.execute(tx),
  )
  const person = invited.rows[0]
  if (!person) return // accepted, deleted or disabled meanwhile
  const path = parts.isOidcEmbedded ? acceptInvitationHref(secret) : signInHref(HOME_PATH)
  const member = person.organization === null ? '' : `「${person.organization}」のメンバーとして、`
  await parts.sendMail(
    writeLetter({
      to: person.email,
      subject: '【Publisher Center】ご招待のお知らせ',
      paragraphs: [
        `${member}Publisher Center に招待されました。`,
        parts.isOidcEmbedded
          ? `次のリンクを開き、パスワードを設定してください。リンクは${INVITATION_HOURS}時間有効で、一度だけ使用できます。`
          : '次のリンクを開き、会社のアカウントでサインインしてください。',
      ],
      action: { label: '招待を受ける', url: `${parts.webOrigin}${path}` },
      mayBeThrownAway: true,
    }),
  )
}

/** Nothing is mailed to an address that belongs to somebody; nobody is told. */
async function sendConfirmation(parts: PeopleMailParts, uid: string, email: string): Promise<void> {
  const secret = await parts.database.inScope(SYSTEM, async tx => {
    await voidLinks(tx, 'EmailChangeLink', uid)
    const found = await sql<{
      isFree: boolean
    }>`select not exists (select from users o where o.email = ${email}) as is_free
      from users where uid = ${uid}::uuid and enabled`.execute(tx)
    if (!found.rows[0]?.isFree) return undefined
    return makeLink(tx, 'EmailChangeLink', { accountId: uid, email }, CONFIRMATION_SECONDS)
  })
  if (secret === undefined) return
  await parts.sendMail(
    writeLetter({
      to: email,
      subject: '【Publisher Center】メールアドレス変更の確認',
      paragraphs: [
        '管理者が、Publisher Center のメールアドレスをこのアドレスに変更する手続きを行いました。',
        '次のリンクを開き、変更を確定してください。リンクは24時間有効で、一度だけ使用できます。確定すると、変更前のアドレスにもお知らせします。',
      ],
      action: { label: '変更を確定する', url: `${parts.webOrigin}${confirmEmailHref(secret)}` },
      mayBeThrownAway: true,
    }),
  )
}
