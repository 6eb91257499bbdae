import { mayManage } from '@pc/domain/access/role-rank.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { endSessionsOf } from '@pc/platform/oidc/session-rows.ts'
import type { UserWrite } from './change-user.ts'
import type { PeopleMail } from './people-mail.ts'
import { lockUser, type UserRow } from './user-store.ts'

type ResetRefusal = Refusal<
  'record/not-found' | 'user/rank-too-high' | 'user/own-second-factor' | 'user/no-second-factor' | 'mail/too-many'
>

/**
 * For somebody who lost phone, passkey and recovery codes: from now on the password alone signs in, until the person sets
 * a second factor up again. Every session ends, and the person is told by mail, whoever asked for it.
 */
export async function resetSecondFactor(
  uid: string,
  write: UserWrite,
  mail: PeopleMail,
): Promise<Result<UserRow, ResetRefusal>> {
  const { tx, permit } = write
  const user = await lockUser(tx, uid, permit)
  if (!user) return refused(refusal('record/not-found', ['uid']))
  if (user.uid === permit.viewer.uid) return refused(refusal('user/own-second-factor', ['uid']))
  if (!mayManage(permit.viewer.roles, user.roles)) return refused(refusal('user/rank-too-high'))
  const count = await mail.resetSecondFactor(tx, { uid: user.uid, senderUid: permit.viewer.uid })
  if (typeof count === 'object') return refused(count)
  if (count === 0) return refused(refusal('user/no-second-factor', ['uid']))
  await endSessionsOf(tx, user.uid)
  write.record({
    action: 'reset-second-factor',
    resource: 'iam:user.',
    rowId: user.uid,
    before: { secondFactors: count },
    after: { secondFactors: 0 },
  })
  return ok(user)
}
