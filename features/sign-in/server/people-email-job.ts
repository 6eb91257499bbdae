import { randomBytes } from 'node:crypto'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { EMAIL_RETRIES } from '@pc/platform/mail/mail-job.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail, SendMail } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { acceptInvitationHref } from '../links.ts'
import { hashOfLink } from './one-time-link.ts'

/** How long the link of an invitation is valid. */
const INVITATION_HOURS = 72

interface PeopleEmail {
  readonly kind: 'invitation'
  readonly uid: string
}

/**
 * The secret of the link is made when the email is rendered, so that no secret waits in the queue. A repetition
 * replaces the link before.
 */
const PEOPLE_MAIL_JOB = defineJob<PeopleEmail>('people-mail', EMAIL_RETRIES)

/** Opens an invitation, or replaces the open one, and queues its email. */
export async function openInvitation(
  tx: Transaction,
  jobs: Jobs,
  { uid, senderUid }: { readonly uid: string; readonly senderUid: string },
): Promise<void> {
  await sql`insert into invitations (uid, invited_by_uid, expires_at)
    values (${uid}::uuid, ${senderUid}::uuid, now() + ${INVITATION_HOURS} * interval '1 hour')
    on conflict (uid) do update set secret_sha256 = null, invited_by_uid = excluded.invited_by_uid,
      invited_at = now(), expires_at = excluded.expires_at, accepted_at = null`.execute(tx)
  await jobs.enqueue(tx, PEOPLE_MAIL_JOB, { kind: 'invitation', uid })
}

export interface PeopleMailDependencies {
  readonly database: Database
  readonly sendMail: SendMail
  readonly webOrigin: string
  /** With an external issuer no password is chosen here: the link leads to the issuer's sign-in. */
  readonly isOidcEmbedded: boolean
}

export function peopleMailJobHandler(parts: PeopleMailDependencies): JobHandler {
  return handleJob(PEOPLE_MAIL_JOB, async (message, { signal }) => {
    // The queue may hold jobs of an earlier version for changed addresses; they are ignored.
    if (message.kind !== 'invitation') return
    await sendInvitation({ ...parts, sendMail: (mail: Mail) => parts.sendMail(mail, { signal }) }, message.uid)
  })
}

async function sendInvitation(parts: PeopleMailDependencies, uid: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const invited = await parts.database.inScope(SYSTEM, tx =>
    sql<{ email: string; organization: string | null }>`
      update invitations i set secret_sha256 = ${hashOfLink(secret)}
      from users u left join organizations o on o.id = u.organization_id
      where i.uid = ${uid}::uuid and u.uid = i.uid and u.enabled and i.accepted_at is null and i.expires_at > now()
      returning u.email, o.name as organization`.execute(tx),
  )
  const person = invited.rows[0]
  if (!person) return // accepted, deleted or disabled meanwhile
  const member = person.organization === null ? '' : `「${person.organization}」のメンバーとして、`
  await parts.sendMail(
    renderEmail({
      to: person.email,
      subject: '【Publisher Center】ご招待のお知らせ',
      paragraphs: [
        `${member}Publisher Center に招待されました。`,
        parts.isOidcEmbedded
          ? `次のリンクを開き、パスワードを設定してください。リンクは${INVITATION_HOURS}時間有効で、一度だけ使用できます。`
          : `次のリンクを開き、会社のアカウントでサインインしてください。リンクは${INVITATION_HOURS}時間有効で、一度だけ使用できます。`,
      ],
      action: { label: '招待を受ける', url: `${parts.webOrigin}${acceptInvitationHref(secret)}` },
      mayBeThrownAway: true,
    }),
  )
}
