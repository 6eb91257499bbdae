import { refuseRoles } from '@pc/domain/access/user-changes.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import type { AccountMailPort } from './account-mail-port.ts'
import { giveRolesAgain, type UserWrite } from './change-user.ts'
import { managedUser } from './confirm-account-change.ts'
import { type CountedAttempt, countAttempt, type InviteRefusal } from './count-attempt.ts'
import { requestAccountChange } from './request-account-change.ts'
import { readUser, type UserRow } from './user-store.ts'

/** What {@link updateEmail} refuses without looking at the new address. */
function checkNewEmail(
  user: Result<UserRow, InviteRefusal>,
  typed: string,
): Result<{ readonly before: UserRow; readonly email: string }, InviteRefusal> {
  const email = mailAddress(typed)
  if (!email) return refused(refusal('user/email-invalid', ['email']))
  if (!user.ok) return user
  const before = user.value
  if (email === before.email) return refused(refusal('user/email-unchanged', ['email']))
  if (!before.enabled) return refused(refusal('user/disabled'))
  if (before.isBoundElsewhere) return refused(refusal('user/email-elsewhere', ['email']))
  return ok({ before, email })
}

/** {@link countAttempt} for {@link updateEmail}. */
export function countNewEmail(
  database: Database,
  { uid, email }: { readonly uid: string; readonly email: string },
  permit: UserWrite['permit'],
  mail: AccountMailPort,
): Promise<CountedAttempt> {
  return countAttempt(database, permit, mail, async tx => checkNewEmail(await managedUser(uid, { tx, permit }), email))
}

/**
 * Changes a person's address. An open invitation is sent to the new address at once; anybody else's change waits for
 * consent.
 * Tested by `features/users/server/account-changes.test.ts`.
 * @param attempt the result of {@link countNewEmail} for the same input
 */
export async function updateEmail(
  uid: string,
  typed: string,
  write: UserWrite,
  mail: AccountMailPort,
  attempt: CountedAttempt,
): Promise<Result<UserRow, Refusal<RefusalCode>>> {
  if (!attempt.ok) return attempt
  const checked = checkNewEmail(await managedUser(uid, write), typed)
  if (!checked.ok) return checked
  const { before, email } = checked.value
  const { tx, permit } = write
  // The owner of the new mailbox gets these roles from the caller, who must be allowed to give them.
  const foreign =
    before.invitation && refuseRoles(permit.viewer, before.roles, before.organization?.id ?? null, ['uid'])
  if (foreign) return refused(foreign)
  const isTaken = before.invitation ? !(await setEmail(write, before.uid, email)) : await isKnown(write, email)
  if (isTaken) return refused(refusal('user/email-taken', ['email']))
  if (!before.invitation) return requestAccountChange(before, { kind: 'email', newEmail: email }, write, mail)
  await giveRolesAgain(write, mail, before)
  await mail.invite(tx, { uid: before.uid, senderUid: permit.viewer.uid })
  const after = (await readUser(tx, before.uid, permit)) ?? before
  write.record({
    action: 'update',
    resource: 'iam:user.',
    rowId: before.uid,
    before: { email: before.email },
    after: { email },
  })
  return ok(after)
}

/** Whether an account that the caller sees has the address; accounts of others are not revealed. */
async function isKnown({ tx }: UserWrite, email: string): Promise<boolean> {
  return (await tx.selectFrom('users').select('uid').where('email', '=', email).executeTakeFirst()) !== undefined
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
