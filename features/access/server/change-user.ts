import type { GranularAction } from '@pc/domain/access/action.ts'
import type { AuditAction } from '@pc/domain/access/audit-action-labels.ja.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { seesRows } from '@pc/domain/access/role-duties.ts'
import { WATCHED_ROLES } from '@pc/domain/access/role-rank.ts'
import {
  endsAdministration,
  type Person,
  refuseChange,
  refuseRoles,
  type UserRefusal,
} from '@pc/domain/access/user-changes.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import type { AccountMailPort, RolesOfPerson } from './account-mail-port.ts'
import { readAdministrators } from './administrators.ts'
import {
  type AgreementRefusal,
  organizationsOfAgreements,
  refuseAgreements,
  replaceAgreements,
} from './user-agreements.ts'
import { isUid, lockUser, lockUsers, readUsers, type UserRow } from './user-store.ts'

export type UserWrite = Write<GranularAction, 'iam:user.' | 'iam:user_role.'>
type ChangeRefusal = UserRefusal | AgreementRefusal | Refusal<'record/not-found' | 'record/edited-by-other'>

/**
 * Serialises changes that end somebody's administration: when two administrators demote each other at the same moment,
 * the second transaction sees what the first one did. Other changes do not take this lock, because a file may change
 * people for half a minute.
 */
async function lockRoleChanges(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', 7))`.execute(tx)
}

function personOf(user: UserRow): Person {
  return { uid: user.uid, roles: user.roles, enabled: user.enabled, organizationId: user.organization?.id ?? null }
}

function actorOf({ permit }: UserWrite): Person {
  const { uid, roles, organizationId } = permit.viewer
  return { uid, roles, organizationId, enabled: true }
}

/** What the audit log stores of a user. */
export function auditedUser(
  user: Pick<UserRow, 'email' | 'enabled' | 'roles' | 'agreementIds'> & {
    readonly organization: { readonly id: bigint } | null
  },
) {
  const { email, enabled, roles, agreementIds } = user
  return { email, enabled, roles, organizationId: user.organization?.id ?? null, agreementIds }
}

export interface UserChange {
  readonly roles?: readonly Role[] | undefined
  readonly agreementIds?: readonly bigint[] | undefined
  readonly enabled?: boolean | undefined
}

/** {@link changeUsers} for one person. */
export async function changeUser(
  uid: string,
  change: UserChange,
  write: UserWrite,
  mail: AccountMailPort,
  action: AuditAction,
): Promise<Result<UserRow, ChangeRefusal>> {
  const changed = await changeUsers([{ uid, ...change }], write, mail, action)
  if (!changed.ok) return refused(...outOfPlace(changed.refusals))
  const [user] = changed.value
  return user ? ok(user) : refused(refusal('record/not-found', ['uid']))
}

type UserState = Pick<UserRow, 'roles' | 'agreementIds' | 'enabled'>
type ChangeOfPerson = UserChange & {
  readonly uid: string
  /** The state that the caller saw. The change is refused when somebody else has changed the person since. */
  readonly expected?: UserState | undefined
}

/**
 * Changes roles, assigned agreements and whether people may sign in: all of them, or none when one is refused. A change
 * of anything but agreements ends all sessions. Each person may appear once. A refusal's path begins with the index of
 * the change.
 * Tested by `features/users/server/people-changes.test.ts`.
 */
export async function changeUsers(
  changes: readonly ChangeOfPerson[],
  write: UserWrite,
  mail: AccountMailPort,
  action: AuditAction,
): Promise<Result<readonly UserRow[], ChangeRefusal>> {
  const judged = await judgeChanges(changes, write)
  return judged.ok ? ok(await saveChanges(judged.value, write, mail, action)) : judged
}

/** A person and the state to store. */
interface NextState {
  readonly before: UserRow
  readonly roles: readonly Role[]
  readonly enabled: boolean
  /** Undefined: unchanged. */
  readonly agreementIds: readonly bigint[] | undefined
}

/**
 * Locks the people. The lock on role changes, where needed, is taken first, so that nobody waits for it while holding a
 * person.
 */
async function lockInTurn(changes: readonly ChangeOfPerson[], write: UserWrite): Promise<ReadonlyMap<string, UserRow>> {
  const { tx, permit } = write
  const uids = changes.map(({ uid }) => uid)
  const needsRoleLock = (users: ReadonlyMap<string, UserRow>) =>
    changes.some(({ uid, roles, enabled }) => {
      const user = users.get(uid.toLowerCase())
      if (!user) return false
      const next = { roles: roles ?? user.roles, enabled: enabled ?? user.enabled }
      return endsAdministration(actorOf(write), personOf(user), next)
    })
  const byUid = (users: readonly UserRow[]) => new Map(users.map(user => [user.uid, user]))
  const holdsRoleLock = needsRoleLock(byUid(await readUsers(tx, uids.filter(isUid), permit)))
  if (holdsRoleLock) await lockRoleChanges(tx)
  const users = byUid(await lockUsers(tx, uids, permit))
  // The person has become an administrator since the first read.
  if (!holdsRoleLock && needsRoleLock(users)) await lockRoleChanges(tx)
  return users
}

/**
 * Checks each change against the state after the changes before it, so that a file cannot demote the last two administrators.
 */
async function judgeChanges(
  changes: readonly ChangeOfPerson[],
  write: UserWrite,
): Promise<Result<readonly NextState[], ChangeRefusal>> {
  const { tx } = write
  const users = await lockInTurn(changes, write)
  const administrators = await readAdministrators(tx, [...users.values()].map(personOf))
  const organizationOf = await organizationsOfAgreements(
    tx,
    changes.flatMap(({ agreementIds = [] }) => agreementIds),
  )
  const refusals: ChangeRefusal[] = []
  const states: NextState[] = []
  for (const [place, change] of changes.entries()) {
    const before = users.get(change.uid.toLowerCase())
    if (!before) {
      refusals.push(...inPlace(place, [refusal('record/not-found', ['uid'])]))
      continue
    }
    const target = personOf(before)
    const roles = change.roles ?? before.roles
    const enabled = change.enabled ?? before.enabled
    const agreementIds = change.agreementIds ?? (seesRows(roles, 'agreements') ? undefined : [])
    const no =
      refuseEdited(before, change.expected) ??
      refuseChange(actorOf(write), target, { roles, enabled }, administrators.beside(target)) ??
      (change.roles && refuseRoles(actorOf(write), roles, target.organizationId, ['roles'], target.roles)) ??
      refuseAgreements({ ...target, roles }, agreementIds ?? [], organizationOf)
    if (no) refusals.push(...inPlace(place, [no]))
    else {
      states.push({ before, roles, enabled, agreementIds })
      administrators.become({ ...target, roles, enabled: enabled && before.invitation === null })
    }
  }
  return refusals.length > 0 ? { ok: false, refusals } : ok(states)
}

async function saveChanges(
  states: readonly NextState[],
  write: UserWrite,
  mail: AccountMailPort,
  action: AuditAction,
): Promise<readonly UserRow[]> {
  const { tx, permit } = write
  const withNewRoles = states.filter(({ before, roles }) => !isSame(before.roles, roles))
  await replaceRoles(write, mail, withNewRoles)
  await replaceAgreements(
    tx,
    states.flatMap(({ before: { uid }, agreementIds }) => (agreementIds ? { uid, agreementIds } : [])),
  )
  for (const enabled of [false, true]) {
    const uids = states.filter(one => one.enabled === enabled && one.before.enabled !== enabled).map(uidOf)
    if (uids.length === 0) continue
    await sql`update users set enabled = ${enabled}, updated_at = now() where uid = any(${uids}::uuid[])`.execute(tx)
    await mail.notifyPeople(tx, uids, enabled ? 'enabled' : 'disabled')
  }
  const hasNewAccess = (one: NextState) => !isSame(one.before.roles, one.roles) || one.enabled !== one.before.enabled
  await endSessions(tx, states.filter(hasNewAccess).map(uidOf))
  const after = new Map((await readUsers(tx, states.map(uidOf), permit)).map(user => [user.uid, user]))
  let isAnyChanged = false
  const changed = states.map(({ before }) => {
    const user = after.get(before.uid)
    if (!user) throw new TypeError('a user who was changed is outside of the permit')
    if (JSON.stringify(auditText(before)) === JSON.stringify(auditText(user))) return user
    isAnyChanged = true
    write.record({
      action,
      resource: 'iam:user.',
      rowId: before.uid,
      before: auditedUser(before),
      after: auditedUser(user),
    })
    return user
  })
  if (!isAnyChanged) write.recordNothing()
  return changed
}

const uidOf = ({ before }: NextState) => before.uid

function isSame<Value>(before: readonly Value[], after: readonly Value[]): boolean {
  return before.length === after.length && after.every(value => before.includes(value))
}

function refuseEdited(user: UserState, expected: UserState = user): Refusal<'record/edited-by-other'> | undefined {
  const edited = [
    ...(isSame(user.roles, expected.roles) ? [] : ['roles']),
    ...(isSame(user.agreementIds, expected.agreementIds) ? [] : ['agreementIds']),
    ...(user.enabled === expected.enabled ? [] : ['enabled']),
  ]
  const data = { editedBy: '', editedAt: '', changedFields: edited.join(',') }
  return edited.length > 0 ? refusal('record/edited-by-other', ['uid'], data) : undefined
}

function auditText(user: UserRow) {
  const { agreementIds, organizationId, ...rest } = auditedUser(user)
  return { ...rest, organizationId: String(organizationId), agreementIds: agreementIds.map(String) }
}

async function replaceRoles(write: UserWrite, mail: AccountMailPort, people: readonly NextState[]): Promise<void> {
  for (const role of new Set(people.flatMap(({ before }) => before.roles))) {
    const losing = people.filter(({ before, roles }) => before.roles.includes(role) && !roles.includes(role))
    if (losing.length === 0) continue
    await sql`delete from user_roles where role_name = ${role} and uid = any(${losing.map(uidOf)}::uuid[])`.execute(
      write.tx,
    )
  }
  const added = people.map(({ before: { uid, roles: had }, roles }) => ({
    uid,
    roles: roles.filter(role => !had.includes(role)),
  }))
  await giveRoles(write, mail, added)
}

async function giveRoles(write: UserWrite, mail: AccountMailPort, people: readonly RolesOfPerson[]): Promise<void> {
  await insertRoles(write, people)
  await notifyOfRoles(write, mail, people)
}

/** Inserts the roles without notifying anybody; see {@link notifyOfRoles}. */
export async function insertRoles({ tx, permit }: UserWrite, people: readonly RolesOfPerson[]): Promise<void> {
  const givenByUid = permit.viewer.uid
  const rows = people.flatMap(({ uid, roles }) => [...new Set(roles)].map(role => ({ uid, role })))
  if (rows.length === 0) return
  await sql`insert into user_roles (uid, role_name, given_at, given_by_uid)
    select uid, role_name, now(), ${givenByUid}::uuid
    from unnest(${rows.map(({ uid }) => uid)}::uuid[], ${rows.map(({ role }) => role)}::text[]) as given (uid, role_name)`.execute(
    tx,
  )
}

/**
 * Notifies the other administrators of new ones. Call it after the invitations are written, because invited people who
 * have not accepted are not notified.
 */
export async function notifyOfRoles(
  { tx, permit }: UserWrite,
  mail: AccountMailPort,
  people: readonly RolesOfPerson[],
): Promise<void> {
  const watched = people.flatMap(({ uid, roles }) => {
    const those = roles.filter(role => WATCHED_ROLES.includes(role))
    return those.length > 0 ? [{ uid, roles: those }] : []
  })
  if (watched.length > 0) await mail.notifyNewAdministrators(tx, watched, permit.viewer.uid)
}

/** Grants the roles again in the actor's name, because the account passes to another person. */
export async function giveRolesAgain(write: UserWrite, mail: AccountMailPort, { uid, roles }: UserRow): Promise<void> {
  await write.tx.deleteFrom('userRoles').where('uid', '=', uid).execute()
  await giveRoles(write, mail, [{ uid, roles }])
}

/** Ends the sessions; the people's next requests are refused. */
async function endSessions(tx: Transaction, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return
  await sql`select app.end_sessions_of(uid) from unnest(${[...uids].sort()}::uuid[]) uid`.execute(tx)
}

/** Deletes a person whom no record names, ends their sessions and tells them. Returns the person as they were. */
export async function deleteUser(
  uid: string,
  write: UserWrite,
  mail: AccountMailPort,
): Promise<Result<UserRow, UserRefusal | Refusal<'record/not-found' | 'user/has-records'>>> {
  const { tx, permit } = write
  await lockRoleChanges(tx)
  const before = await lockUser(tx, uid, permit)
  if (!before) return refused(refusal('record/not-found', ['uid']))
  const target = personOf(before)
  const no = refuseChange(actorOf(write), target, undefined, (await readAdministrators(tx, [target])).beside(target))
  if (no) return refused(no)
  await endSessions(tx, [uid])
  await mail.notifyPeople(tx, [uid], 'deleted')
  try {
    await tx.deleteFrom('users').where('uid', '=', uid).execute()
  } catch (error) {
    // Other records refer to the person and are kept.
    if (readSqlRefusal(error)?.kind !== 'foreign-key') throw error
    return refused(refusal('user/has-records'))
  }
  write.record({ action: 'delete', resource: 'iam:user.', rowId: uid, before: auditedUser(before), after: null })
  return ok(before)
}
