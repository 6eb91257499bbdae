import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import type { UserWrite } from './change-user.ts'
import type { InviteRefusal } from './count-attempt.ts'
import { readUser, type UserRow } from './user-store.ts'

const OWN = { email: 'user/own-email', invitation: 'user/own-invitation' } as const

/**
 * Requests a change of the account of a person who has accepted the invitation, and emails the person. It takes effect
 * when the person or a second administrator agrees. The caller has counted the email.
 * Tested by `features/users/server/account-changes.test.ts`.
 */
export async function requestAccountChange(
  user: UserRow,
  change: { readonly kind: 'email' | 'invitation'; readonly newEmail: string | null },
  write: UserWrite,
  mail: AccountMailPort,
): Promise<Result<UserRow, InviteRefusal>> {
  const { tx, permit, actor } = write
  const { uid, email } = user
  if (uid === permit.viewer.uid) return refused(refusal(OWN[change.kind]))
  const request = { ...change, uid, email, requestedByUid: permit.viewer.uid, sourceAddress: actor.sourceAddress }
  const no = await mail.requestChange(tx, request)
  if (no) return refused(no)
  write.record({
    action: change.kind === 'email' ? 'ask-for-new-email' : 'ask-for-invitation',
    resource: 'iam:user.',
    rowId: uid,
    before: { email },
    after: change.newEmail === null ? null : { email: change.newEmail },
  })
  return ok((await readUser(tx, uid, permit)) ?? user)
}
