import type { GranularAction } from '@pc/domain/access/action.ts'
import type { AuditAction } from '@pc/domain/access/audit-action-labels.ja.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { WATCHED_ROLES } from '@pc/domain/access/role-rank.ts'
import { type Person, refuseChange, refuseRoles, type UserRefusal } from '@pc/domain/access/user-changes.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import type { PeopleMail } from './people-mail.ts'
import { FILTERED, IS_INVITED, lockUser, readUser, type UserRow } from './user-store.ts'

export type UserWrite = Write<GranularAction, 'iam:user.' | 'iam:user_role.'>
type UserResult<Code extends string = never> = Promise<
  Result<
    UserRow,
    UserRefusal | Refusal<Code | 'record/not-found' | 'user/agreement-not-found' | 'user/agreements-need-editor'>
  >
>

/**
 * All changes of people happen one after the other: of two administrators who demote each other at the same moment,
 * the second sees what the first one did.
 */
async function takeTurn(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', 7))`.execute(tx)
}

function personOf(user: UserRow): Person {
  return { uid: user.uid, roles: user.roles, enabled: user.enabled, organizationId: user.organization?.id ?? null }
}

function actorOf({ permit }: UserWrite): Person {
  const { uid, roles, organizationId } = permit.viewer
  return { uid, roles, organizationId, enabled: true }
}

/** Administrators beside a person who can sign in: neither disabled nor only invited. A tenant sees the own organisation only, and cannot touch the system's. */
async function otherAdministrators(tx: Transaction, { uid, organizationId }: Person) {
  const count = async (role: Role, organization: bigint | null | undefined) => {
    const found = await sql<{ count: number }>`select count(*)::int as count from ${FILTERED}
      join user_roles r on r.uid = u.uid and r.role_name = ${role}
      where u.enabled and not ${IS_INVITED} and u.uid <> ${uid}::uuid
        and (${organization === undefined} or u.organization_id = ${organization ?? null})`.execute(tx)
    return found.rows[0]?.count ?? 0
  }
  return {
    ofSystem: await count('admin', undefined),
    ofOrganization: await count('insight:publisher_admin', organizationId),
  }
}

/** What the audit log keeps of a user. */
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

/** Changes roles, assigned agreements and whether somebody may sign in. Anything but agreements ends all sessions. */
export async function changeUser(
  uid: string,
  change: UserChange,
  write: UserWrite,
  mail: PeopleMail,
  action: AuditAction,
): UserResult {
  const { tx, permit } = write
  await takeTurn(tx)
  const before = await lockUser(tx, uid, permit)
  if (!before) return refused(refusal('record/not-found', ['uid']))
  const target = personOf(before)
  const roles = change.roles ?? before.roles
  const enabled = change.enabled ?? before.enabled
  const areRolesNew = roles.length !== before.roles.length || roles.some(role => !before.roles.includes(role))
  const isAccessNew = areRolesNew || enabled !== before.enabled
  const no =
    refuseChange(actorOf(write), target, { roles, enabled }, await otherAdministrators(tx, target)) ??
    (change.roles && refuseRoles(actorOf(write), roles, target.organizationId))
  if (no) return refused(no)
  const agreementIds = change.agreementIds ?? (roles.includes('insight:publisher_editor') ? undefined : [])
  if (areRolesNew) await replaceRoles(write, mail, before, roles)
  if (agreementIds) {
    const wrong = await replaceAgreements(tx, { ...target, roles }, agreementIds)
    if (wrong) return refused(wrong)
  }
  if (enabled !== before.enabled)
    await tx.updateTable('users').set({ enabled, updatedAt: sql`now()` }).where('uid', '=', uid).execute()
  if (enabled !== before.enabled) await mail.tellPerson(tx, uid, enabled ? 'enabled' : 'disabled')
  if (isAccessNew) await endSessions(tx, uid)
  const after = await readUser(tx, uid, permit)
  if (!after) return refused(refusal('record/not-found', ['uid']))
  if (JSON.stringify(auditText(before)) === JSON.stringify(auditText(after))) write.recordNothing()
  else
    write.record({
      action,
      resource: 'iam:user.',
      rowId: uid,
      before: auditedUser(before),
      after: auditedUser(after),
    })
  return ok(after)
}

function auditText(user: UserRow) {
  const { agreementIds, organizationId, ...rest } = auditedUser(user)
  return { ...rest, organizationId: String(organizationId), agreementIds: agreementIds.map(String) }
}

async function replaceRoles(write: UserWrite, mail: PeopleMail, user: UserRow, roles: readonly Role[]): Promise<void> {
  const { tx } = write
  const gone = user.roles.filter(role => !roles.includes(role))
  const added = roles.filter(role => !user.roles.includes(role))
  if (gone.length > 0)
    await tx.deleteFrom('userRoles').where('uid', '=', user.uid).where('roleName', 'in', gone).execute()
  await giveRoles(write, mail, { uid: user.uid, roles: added })
}

interface RolesOfPerson {
  readonly uid: string
  readonly roles: readonly Role[]
}

async function giveRoles(write: UserWrite, mail: PeopleMail, person: RolesOfPerson): Promise<void> {
  await insertRoles(write, [person])
  await tellOfRoles(write, mail, [person])
}

/** Tells nobody: see {@link tellOfRoles}. */
export async function insertRoles({ tx, permit }: UserWrite, people: readonly RolesOfPerson[]): Promise<void> {
  const givenByUid = permit.viewer.uid
  const rows = people.flatMap(({ uid, roles }) => [...new Set(roles)].map(roleName => ({ uid, roleName })))
  if (rows.length === 0) return
  await tx
    .insertInto('userRoles')
    .values(rows.map(row => ({ ...row, givenAt: sql<Date>`now()`, givenByUid })))
    .execute()
}

/**
 * Tells the other administrators of new ones. Call it after the invitations are written: until they are accepted, invited
 * people are not told anything.
 */
export async function tellOfRoles(
  { tx, permit }: UserWrite,
  mail: PeopleMail,
  people: readonly RolesOfPerson[],
): Promise<void> {
  const watched = people.flatMap(({ uid, roles }) => {
    const those = roles.filter(role => WATCHED_ROLES.includes(role))
    return those.length > 0 ? [{ uid, roles: those }] : []
  })
  if (watched.length > 0) await mail.tellNewAdministrators(tx, watched, permit.viewer.uid)
}

/** The account passes to another person: the actor counts as having granted its roles now. */
export async function giveRolesAgain(write: UserWrite, mail: PeopleMail, { uid, roles }: UserRow): Promise<void> {
  await write.tx.deleteFrom('userRoles').where('uid', '=', uid).execute()
  await giveRoles(write, mail, { uid, roles })
}

/** Assigns agreements of the person's organisation, which only an editor of a publisher works for one by one. */
export async function replaceAgreements(
  tx: Transaction,
  person: Person,
  agreementIds: readonly bigint[],
): Promise<Refusal<'user/agreement-not-found' | 'user/agreements-need-editor'> | undefined> {
  await tx.deleteFrom('userAgreements').where('uid', '=', person.uid).execute()
  const wanted = [...new Set(agreementIds)]
  if (wanted.length === 0) return undefined
  if (!person.roles.includes('insight:publisher_editor'))
    return refusal('user/agreements-need-editor', ['agreementIds'])
  const found = await tx
    .selectFrom('agreements')
    .select('id')
    .where('id', 'in', wanted)
    .where('organizationId', '=', person.organizationId)
    .execute()
  if (found.length !== wanted.length) return refusal('user/agreement-not-found', ['agreementIds'])
  await tx
    .insertInto('userAgreements')
    .values(wanted.map(agreementId => ({ uid: person.uid, agreementId })))
    .execute()
  return undefined
}

/** Takes effect on the person's next request. */
async function endSessions(tx: Transaction, uid: string): Promise<void> {
  await sql`select app.end_sessions_of(${uid}::uuid)`.execute(tx)
}

export async function deleteUser(uid: string, write: UserWrite, mail: PeopleMail): UserResult<'user/has-records'> {
  const { tx, permit } = write
  await takeTurn(tx)
  const before = await lockUser(tx, uid, permit)
  if (!before) return refused(refusal('record/not-found', ['uid']))
  const target = personOf(before)
  const no = refuseChange(actorOf(write), target, undefined, await otherAdministrators(tx, target))
  if (no) return refused(no)
  await endSessions(tx, uid)
  await mail.tellPerson(tx, uid, 'deleted')
  try {
    await tx.deleteFrom('users').where('uid', '=', uid).execute()
  } catch (error) {
    // Records of other parts name the person; those are kept.
    if (readSqlRefusal(error)?.kind !== 'foreign-key') throw error
    return refused(refusal('user/has-records'))
  }
  write.record({ action: 'delete', resource: 'iam:user.', rowId: uid, before: auditedUser(before), after: null })
  return ok(before)
}
