import type { Role } from '@pc/domain/access/role.ts'
import { mayManage } from '@pc/domain/access/role-rank.ts'
import { refuseRoles, type UserRefusal } from '@pc/domain/access/user-changes.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { auditedUser, giveRoles, replaceAgreements, type UserWrite } from './change-user.ts'
import type { PeopleMail } from './people-mail.ts'
import { isUid, lockUser, readUser, type UserRow } from './user-store.ts'

export interface Invitee {
  readonly email: string
  readonly roles: readonly Role[]
  /** Ignored for a publisher's administrator, who invites to the own organisation. */
  readonly organizationId: bigint | null
  readonly agreementIds: readonly bigint[]
}

type InviteRefusal =
  | UserRefusal
  | Refusal<
      | 'user/email-invalid'
      | 'user/email-taken'
      | 'user/email-unchanged'
      | 'user/email-elsewhere'
      | 'user/agreement-not-found'
      | 'user/agreements-need-editor'
      | 'user/already-active'
      | 'user/disabled'
      | 'organization/not-found'
      | 'record/not-found'
      | 'mail/too-many'
    >

/** Makes a user who becomes able to sign in by the link of a letter, and by nothing else. */
export async function inviteUser(
  input: Invitee,
  write: UserWrite,
  mail: PeopleMail,
): Promise<Result<UserRow, InviteRefusal>> {
  const { tx, permit } = write
  const email = mailAddress(input.email)
  if (!email) return refused(refusal('user/email-invalid', ['email']))
  const organizationId = permit.scope.kind === 'organization' ? permit.scope.organizationId : input.organizationId
  const no = refuseRoles(permit.viewer, input.roles, organizationId)
  if (no) return refused(no)
  if (organizationId !== null) {
    const known = await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).executeTakeFirst()
    if (!known) return refused(refusal('organization/not-found', ['organizationId']))
  }
  const uid = await insertUser(write, email, organizationId)
  if (uid === undefined) {
    await mail.countFailure(permit.viewer.uid)
    return refused(refusal('user/email-taken', ['email']))
  }
  await giveRoles(tx, uid, input.roles)
  const wrong = await replaceAgreements(
    tx,
    { uid, roles: input.roles, organizationId, enabled: true },
    input.agreementIds,
  )
  if (wrong) return refused(wrong)
  const tooMany = await mail.invite(tx, { uid, senderUid: permit.viewer.uid })
  if (tooMany) return refused(tooMany)
  const after = await readUser(tx, uid, permit)
  if (!after) return refused(refusal('record/not-found'))
  write.record({ action: 'invite', resource: 'iam:user.', rowId: uid, before: null, after: auditedUser(after) })
  return ok(after)
}

/** Undefined: the address belongs to somebody, perhaps of another organisation, whom the caller does not see. */
async function insertUser(write: UserWrite, email: string, organizationId: bigint | null): Promise<string | undefined> {
  try {
    const made = await write.tx
      .insertInto('users')
      .values({ email, organizationId })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return made.uid
  } catch (error) {
    const found = readSqlRefusal(error)
    if (found?.kind === 'unique' && found.constraint === 'users_email_key') return undefined
    throw error
  }
}

/** A new letter with a new link to somebody who has not accepted yet; the link before is void. Never shown, only mailed. */
export async function regenerateInviteLink(
  uid: string,
  write: UserWrite,
  mail: PeopleMail,
): Promise<Result<UserRow, InviteRefusal>> {
  const user = await managedUser(uid, write)
  if (!user.ok) return user
  const before = user.value
  if (!before.invitation) return refused(refusal('user/already-active'))
  if (!before.enabled) return refused(refusal('user/disabled'))
  const tooMany = await mail.invite(write.tx, { uid: before.uid, senderUid: write.permit.viewer.uid })
  if (tooMany) return refused(tooMany)
  const after = (await readUser(write.tx, before.uid, write.permit)) ?? before
  write.record({
    action: 'invite-again',
    resource: 'iam:user.',
    rowId: before.uid,
    before: { invitation: before.invitation },
    after: { invitation: after.invitation },
  })
  return ok(after)
}

/**
 * Somebody with an open invitation gets the new address and a new letter at once. Anybody else is asked at the new
 * address first, and told at the old one when it is done: an administrator alone takes over no account.
 */
export async function updateEmail(
  uid: string,
  typed: string,
  write: UserWrite,
  mail: PeopleMail,
): Promise<Result<UserRow, InviteRefusal>> {
  const email = mailAddress(typed)
  if (!email) return refused(refusal('user/email-invalid', ['email']))
  const user = await managedUser(uid, write)
  if (!user.ok) return user
  const before = user.value
  const { tx, permit } = write
  if (email === before.email) return refused(refusal('user/email-unchanged', ['email']))
  if (!before.enabled) return refused(refusal('user/disabled'))
  if (before.isBoundElsewhere) return refused(refusal('user/email-elsewhere', ['email']))
  const letter = { uid: before.uid, senderUid: permit.viewer.uid }
  if (before.invitation) {
    if (!(await setEmail(write, before.uid, email))) {
      await mail.countFailure(permit.viewer.uid)
      return refused(refusal('user/email-taken', ['email']))
    }
  }
  const tooMany = before.invitation ? await mail.invite(tx, letter) : await mail.confirmEmail(tx, { ...letter, email })
  if (tooMany) return refused(tooMany)
  const after = (await readUser(tx, before.uid, permit)) ?? before
  write.record({
    action: before.invitation ? 'update' : 'ask-for-new-email',
    resource: 'iam:user.',
    rowId: before.uid,
    before: { email: before.email },
    after: { email },
  })
  return ok(after)
}

async function setEmail({ tx }: UserWrite, uid: string, email: string): Promise<boolean> {
  try {
    await tx.updateTable('users').set({ email, updatedAt: sql`now()` }).where('uid', '=', uid).execute()
    return true
  } catch (error) {
    const found = readSqlRefusal(error)
    if (found?.kind === 'unique' && found.constraint === 'users_email_key') return false
    throw error
  }
}

async function managedUser(
  uid: string,
  write: UserWrite,
): Promise<Result<UserRow, UserRefusal | Refusal<'record/not-found'>>> {
  const user = isUid(uid) ? await lockUser(write.tx, uid, write.permit) : undefined
  if (!user) return refused(refusal('record/not-found', ['uid']))
  if (!mayManage(write.permit.viewer.roles, user.roles)) return refused(refusal('user/rank-too-high'))
  return ok(user)
}
