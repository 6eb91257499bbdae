import type { UserRefusal } from '@pc/domain/access/user-changes.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import type { UserWrite } from './change-user.ts'
import { managedUser } from './confirm-account-change.ts'
import { readUser, type UserRow } from './user-store.ts'

type ResetRefusal =
  | UserRefusal
  | Refusal<
      | 'record/not-found'
      | 'user/own-second-factor'
      | 'user/no-second-factor'
      | 'user/disabled'
      | 'user/change-pending'
      | 'mail/too-many'
    >

/**
 * Removes the second factor of somebody who has lost phone, passkey and recovery codes, once the person agrees by email
 * or a second administrator does. Until the person sets up a new one, the password alone is enough.
 * Tested by `features/users/server/account-changes.test.ts`.
 */
export async function resetSecondFactor(
  uid: string,
  write: UserWrite,
  mail: AccountMailPort,
): Promise<Result<UserRow, ResetRefusal>> {
  const { tx, permit, actor } = write
  if (uid.toLowerCase() === permit.viewer.uid) return refused(refusal('user/own-second-factor', ['uid']))
  const managed = await managedUser(uid, write)
  if (!managed.ok) return managed
  const user = managed.value
  if (!user.enabled) return refused(refusal('user/disabled'))
  if (!(await mail.withSecondFactor([user.uid])).has(user.uid))
    return refused(refusal('user/no-second-factor', ['uid']))
  const tooMany = await mail.countMails(tx, { senderUid: permit.viewer.uid, count: 1 })
  if (tooMany) return refused(tooMany)
  const no = await mail.requestChange(tx, {
    uid: user.uid,
    kind: 'second-factor',
    email: user.email,
    newEmail: null,
    requestedByUid: permit.viewer.uid,
    sourceAddress: actor.sourceAddress,
  })
  if (no) return refused(no)
  write.record({
    action: 'ask-for-factor-reset',
    resource: 'iam:user.',
    rowId: user.uid,
    before: null,
    after: { kind: 'second-factor' },
  })
  return ok((await readUser(tx, user.uid, permit)) ?? user)
}
