import type { AccountChange, AccountChangeRequest } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { isPublisherRole } from '@pc/domain/access/role-rank.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { writeLetter } from '@pc/platform/mail/write-letter.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { applyChange, endChange, insertChange, lockChange } from './account-change.ts'
import { accountLetters } from './account-letters.ts'
import { HAS_COME, organizationsWithAdministrators, writeToAdministrators } from './tell-administrators.ts'

/** Security figures, 32. */
const MAILS_PER_HOUR = 20

type TooMany = Refusal<'mail/too-many'> | undefined
interface Letter {
  readonly uid: string
  readonly senderUid: string
}

/** What the administration of people does with accounts. Letters leave after its transaction has committed. */
export interface PeopleMailer {
  invite(tx: Transaction, letter: Letter): Promise<TooMany>
  postponeInvitations(
    tx: Transaction,
    letters: { readonly uids: readonly string[]; readonly senderUid: string },
  ): Promise<void>
  requestChange(
    tx: Transaction,
    request: AccountChangeRequest,
  ): Promise<Refusal<'mail/too-many' | 'user/change-pending'> | undefined>
  lockChange(tx: Transaction, id: string): Promise<AccountChange | undefined>
  applyChange(
    tx: Transaction,
    change: AccountChange,
    by: { readonly uid: string; readonly requestId: string },
  ): Promise<'done' | 'stale' | 'taken'>
  withdrawChange(tx: Transaction, change: AccountChange): Promise<void>
  tellNewAdministrators(
    tx: Transaction,
    people: readonly { readonly uid: string; readonly roles: readonly Role[] }[],
    givenByUid: string,
  ): Promise<void>
  readonly bindsAccounts: boolean
  tellPerson(tx: Transaction, uid: string, what: keyof typeof ACCOUNT_EVENTS): Promise<void>
  withSecondFactor(uids: readonly string[]): Promise<ReadonlySet<string>>
  countFailure(senderUid: string): Promise<void>
}

export function peopleMailer(database: Database, jobs: Jobs, bindsAccounts: boolean): PeopleMailer {
  const letters = accountLetters(jobs)
  return {
    bindsAccounts,
    async invite(tx, letter) {
      const tooMany = await countMail(tx, letter.senderUid)
      if (!tooMany) await letters.openInvitation(tx, letter)
      return tooMany
    },
    async postponeInvitations(tx, { uids, senderUid }) {
      await sql`insert into invitations (uid, invited_by_uid, expires_at)
        select uid, ${senderUid}::uuid, now() from unnest(${[...uids]}::uuid[]) uid`.execute(tx)
    },
    async requestChange(tx, request) {
      const tooMany = await countMail(tx, request.requestedByUid)
      if (tooMany) return tooMany
      const id = await insertChange(tx, request)
      if (id === undefined) return refusal('user/change-pending')
      await letters.sendChange(tx, id, 'requested')
      if (request.kind === 'email') await letters.sendChange(tx, id, 'confirm-new')
      return undefined
    },
    lockChange,
    applyChange: (tx, change, by) => applyChange(tx, letters, change, by),
    withdrawChange: (tx, change) => endChange(tx, change.id, 'withdrawn'),
    async tellNewAdministrators(tx, people, givenByUid) {
      const found =
        await sql<NewAdministrator>`select u.uid::text as uid, u.email, by.email as given_by, u.organization_id,
          by.organization_id is not distinct from u.organization_id as is_colleague
        from users u, users by
        where u.uid = any(${people.map(person => person.uid)}::uuid[]) and by.uid = ${givenByUid}::uuid`.execute(tx)
      const rolesOf = new Map(people.map(({ uid, roles }) => [uid, roles]))
      const withAdministrators = await organizationsWithAdministrators(
        tx,
        found.rows.flatMap(({ organizationId }) => organizationId ?? []),
      )
      for (const { uid, email, givenBy, organizationId, isColleague } of found.rows) {
        const roles = rolesOf.get(uid) ?? []
        const ofSystem = roles.filter(role => !isPublisherRole(role))
        const ofPublisher = roles.filter(isPublisherRole)
        const mails = [
          ...(ofSystem.length > 0
            ? await writeToAdministrators(tx, [givenByUid], newAdministratorLetter(givenBy, email, ofSystem))
            : []),
          ...(ofPublisher.length > 0 && organizationId !== null && withAdministrators.has(organizationId)
            ? await writeToAdministrators(
                tx,
                [givenByUid, uid],
                newAdministratorLetter(isColleague ? givenBy : '運営の担当者', email, ofPublisher),
                organizationId,
              )
            : []),
        ]
        for (const mail of mails) await letters.send(tx, mail)
      }
    },
    async tellPerson(tx, uid, what) {
      const found = await sql<{ email: string }>`select u.email from users u
        where u.uid = ${uid}::uuid and ${HAS_COME}`.execute(tx)
      const [person] = found.rows
      const [subject, text] = ACCOUNT_EVENTS[what]
      if (person)
        await letters.send(
          tx,
          writeLetter({
            to: person.email,
            subject: `【Publisher Center】${subject}`,
            paragraphs: [text, 'お心当たりがない場合は、管理者にお問い合わせください。'],
          }),
        )
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

interface NewAdministrator {
  readonly uid: string
  readonly email: string
  readonly givenBy: string
  readonly organizationId: bigint | null
  /** Publishers see no address of staff. */
  readonly isColleague: boolean
}

function newAdministratorLetter(givenBy: string, email: string, roles: readonly Role[]) {
  const labels = roles.map(role => `「${ROLE_LABELS_JA[role].label}」`).join('')
  return {
    subject: '【Publisher Center】管理者のロールが付与されました',
    paragraphs: [
      `${givenBy} が、${email} に${labels}のロールを付与しました。`,
      'お心当たりがない場合は、ユーザー管理で無効にし、操作の記録を確かめてください。',
    ],
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
