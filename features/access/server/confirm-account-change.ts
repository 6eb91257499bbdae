import {
  refuseSecondAdministrator,
  SECOND_ADMINISTRATOR_AFTER_DAYS,
  type SecondAdministratorRefusal,
} from '@pc/domain/access/account-change.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { mayManage } from '@pc/domain/access/role-rank.ts'
import type { UserRefusal } from '@pc/domain/access/user-changes.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import type { AccountMailPort } from './account-mail-port.ts'
import type { UserWrite } from './change-user.ts'
import { isUid, lockUser, readUser, type UserRow } from './user-store.ts'

type Outcome = Promise<
  Result<
    UserRow,
    | UserRefusal
    | SecondAdministratorRefusal
    | Refusal<
        'record/not-found' | 'account-change/not-pending' | 'account-change/new-email-unconfirmed' | 'user/email-taken'
      >
  >
>

/** A person whom the caller may change, locked. */
export async function managedUser(
  uid: string,
  { tx, permit }: Pick<UserWrite, 'tx' | 'permit'>,
): Promise<Result<UserRow, UserRefusal | Refusal<'record/not-found'>>> {
  const user = isUid(uid) ? await lockUser(tx, uid, permit) : undefined
  if (!user) return refused(refusal('record/not-found', ['uid']))
  if (!mayManage(permit.viewer.roles, user.roles)) return refused(refusal('user/rank-too-high'))
  return ok(user)
}

/**
 * The roles that a person has held long enough to take part in a change ({@link SECOND_ADMINISTRATOR_AFTER_DAYS}); none
 * for a disabled person.
 */
async function establishedRoles(tx: Transaction, uid: string): Promise<readonly Role[]> {
  const found = await sql<{ role: string }>`select role
    from app.established_roles_of(${uid}::uuid, ${SECOND_ADMINISTRATOR_AFTER_DAYS}) role`.execute(tx)
  return ROLES.filter(role => found.rows.some(row => row.role === role))
}

/**
 * A second administrator confirms a change that another one requested, and it takes effect.
 * Tested by `features/users/server/account-changes.test.ts`.
 */
export async function confirmAccountChange(uid: string, id: bigint, write: UserWrite, mail: AccountMailPort): Outcome {
  const { tx, permit, actor } = write
  const user = await managedUser(uid, write)
  if (!user.ok) return user
  const change = await mail.lockChange(tx, String(id))
  if (change?.uid !== user.value.uid || change.state !== 'pending')
    return refused(refusal('account-change/not-pending'))
  const viewer = { uid: permit.viewer.uid, establishedRoles: await establishedRoles(tx, permit.viewer.uid) }
  const requesterRoles = await establishedRoles(tx, change.requestedByUid)
  const no = refuseSecondAdministrator(viewer, { ...change, requesterRoles }, user.value.roles)
  if (no) return refused(no)
  // The address's owner has to agree first: a caller who does not see every user must not learn here whether the
  // address has an account.
  const seesEverybody = permit.scope.kind === 'all'
  if (!seesEverybody && change.kind === 'email' && !change.isNewConfirmed)
    return refused(refusal('account-change/new-email-unconfirmed'))
  const taken = () => refused(refusal(seesEverybody ? 'user/email-taken' : 'account-change/not-pending'))
  try {
    const came = await mail.applyChange(tx, change, { uid: viewer.uid, requestId: actor.requestId })
    if (came === 'taken') return taken()
    if (came !== 'done') return refused(refusal('account-change/not-pending'))
  } catch (error) {
    const found = readSqlRefusal(error)
    if (found?.kind === 'unique' && found.constraint === 'users_email_key') return taken()
    throw error
  }
  write.record({
    action: 'confirm-account-change',
    resource: 'iam:user.',
    rowId: user.value.uid,
    before: null,
    after: { kind: change.kind, requestedByUid: change.requestedByUid },
  })
  return ok((await readUser(tx, user.value.uid, permit)) ?? user.value)
}

/** Withdraws a request. Everybody who may request the change may also withdraw it. */
export async function withdrawAccountChange(uid: string, id: bigint, write: UserWrite, mail: AccountMailPort): Outcome {
  const { tx, permit } = write
  const user = await managedUser(uid, write)
  if (!user.ok) return user
  const change = await mail.lockChange(tx, String(id))
  if (change?.uid !== user.value.uid || change.state !== 'pending')
    return refused(refusal('account-change/not-pending'))
  await mail.withdrawChange(tx, change)
  write.record({
    action: 'withdraw-account-change',
    resource: 'iam:user.',
    rowId: user.value.uid,
    before: { kind: change.kind, requestedByUid: change.requestedByUid },
    after: null,
  })
  return ok((await readUser(tx, user.value.uid, permit)) ?? user.value)
}
