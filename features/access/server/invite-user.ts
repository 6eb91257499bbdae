import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { refuseRoles, type UserRefusal } from '@pc/domain/access/user-changes.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { managedUser } from './account-change.ts'
import {
  auditedUser,
  giveRolesAgain,
  insertRoles,
  replaceAgreements,
  tellOfRoles,
  type UserWrite,
} from './change-user.ts'
import type { PeopleMail } from './people-mail.ts'
import { readUser, type UserRow } from './user-store.ts'

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
      | 'user/change-pending'
      | 'user/own-email'
      | 'user/own-invitation'
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
  const made = await inviteUsers([input], write, mail, { sendsLetters: true })
  if (!made.ok) return refused(...outOfPlace(made.refusals))
  const user = await readUser(write.tx, made.value[0]?.uid ?? '', write.permit)
  return user ? ok(user) : refused(refusal('record/not-found'))
}

/**
 * Makes users, all of them or none where one is refused. Without `sendsLetters` somebody sends the letters later, by hand.
 * A refusal's path begins with the place of the invitee.
 */
export async function inviteUsers(
  inputs: readonly Invitee[],
  write: UserWrite,
  mail: PeopleMail,
  { sendsLetters }: { readonly sendsLetters: boolean },
): Promise<Result<readonly { readonly uid: string }[], InviteRefusal>> {
  const { tx, permit } = write
  const { uid: senderUid } = permit.viewer
  const checked = await checkInvitees(inputs, write)
  if (!checked.ok) return checked
  const made = await insertUsers(write, checked.value)
  const refusals = made.flatMap((uid, place) =>
    uid === undefined ? inPlace(place, [refusal('user/email-taken', ['email'])]) : [],
  )
  if (refusals.length > 0) {
    for (const _taken of refusals) await mail.countFailure(senderUid)
    return { ok: false, refusals }
  }
  const people = checked.value.map((invitee, place) => ({ ...invitee, uid: made[place] ?? '', enabled: true }))
  await insertRoles(write, people)
  for (const [place, person] of people.entries()) {
    const wrong = person.agreementIds.length > 0 && (await replaceAgreements(tx, person, person.agreementIds))
    if (wrong) return { ok: false, refusals: inPlace(place, [wrong]) }
  }
  const uids = people.map(person => person.uid)
  if (!sendsLetters) await mail.postponeInvitations(tx, { uids, senderUid })
  for (const [place, uid] of sendsLetters ? uids.entries() : []) {
    const tooMany = await mail.invite(tx, { uid, senderUid })
    if (tooMany) return { ok: false, refusals: inPlace(place, [tooMany]) }
  }
  await tellOfRoles(write, mail, people)
  for (const { uid, organizationId, ...person } of people) {
    const roles = ROLES.filter(role => person.roles.includes(role))
    const after = auditedUser({
      ...person,
      roles,
      organization: organizationId === null ? null : { id: organizationId },
    })
    write.record({ action: 'invite', resource: 'iam:user.', rowId: uid, before: null, after })
  }
  return ok(people)
}

/** The invitees with normalised addresses and the organisation that they join. */
async function checkInvitees(
  inputs: readonly Invitee[],
  { tx, permit }: UserWrite,
): Promise<Result<readonly Invitee[], InviteRefusal>> {
  const own = permit.scope.kind === 'organization' ? permit.scope : undefined
  const invitees = inputs.map(input => ({
    ...input,
    agreementIds: [...new Set(input.agreementIds)],
    email: mailAddress(input.email) ?? '',
    organizationId: own ? own.organizationId : input.organizationId,
  }))
  const ids = [...new Set(invitees.flatMap(({ organizationId }) => organizationId ?? []))]
  const known =
    ids.length === 0 ? [] : await tx.selectFrom('organizations').select('id').where('id', 'in', ids).execute()
  const exists = new Set(known.map(({ id }) => id))
  const refusals = invitees.flatMap(({ email, roles, organizationId }, place): InviteRefusal[] => {
    if (email === '') return inPlace(place, [refusal('user/email-invalid', ['email'])])
    const no = refuseRoles(permit.viewer, roles, organizationId)
    if (no) return inPlace(place, [no])
    const isUnknown = organizationId !== null && !exists.has(organizationId)
    return isUnknown ? inPlace(place, [refusal('organization/not-found', ['organizationId'])]) : []
  })
  return refusals.length > 0 ? { ok: false, refusals } : ok(invitees)
}

/**
 * Undefined: the address belongs to somebody, perhaps of another organisation, whom the caller does not see.
 * @throws the constraint's error when one of several addresses is reserved for its former owner: it does not say which
 */
async function insertUsers({ tx }: UserWrite, invitees: readonly Invitee[]): Promise<readonly (string | undefined)[]> {
  try {
    const made = await tx
      .insertInto('users')
      .values(invitees.map(({ email, organizationId }) => ({ email, organizationId })))
      .onConflict(conflict => conflict.doNothing())
      .returning(['uid', 'email'])
      .execute()
    const uids = new Map(made.map(({ uid, email }) => [email, uid]))
    return invitees.map(({ email }) => {
      const uid = uids.get(email)
      // An address that is listed twice is taken the second time.
      uids.delete(email)
      return uid
    })
  } catch (error) {
    const found = readSqlRefusal(error)
    if (invitees.length === 1 && found?.kind === 'unique' && found.constraint === 'users_email_key') return [undefined]
    throw error
  }
}

/**
 * A new letter with a new link to somebody who has not accepted yet; the link before is void. Never shown, only mailed. At
 * an external issuer also for somebody who has, once the person or a second administrator agrees: the account bound so
 * far stays until another one is bound by the link.
 */
export async function regenerateInviteLink(
  uid: string,
  write: UserWrite,
  mail: PeopleMail,
): Promise<Result<UserRow, InviteRefusal>> {
  const user = await managedUser(uid, write)
  if (!user.ok) return user
  const before = user.value
  if (!before.invitation && !mail.bindsAccounts) return refused(refusal('user/already-active'))
  if (!before.enabled) return refused(refusal('user/disabled'))
  if (!before.invitation) return requestChange(before, { kind: 'invitation', newEmail: null }, write, mail)
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

const OWN = { email: 'user/own-email', invitation: 'user/own-invitation' } as const

/** For somebody who has accepted: noted, told, and without effect until the person or a second administrator agrees. */
async function requestChange(
  user: UserRow,
  change: { readonly kind: 'email' | 'invitation'; readonly newEmail: string | null },
  write: UserWrite,
  mail: PeopleMail,
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

/** Somebody with an open invitation gets the new address and a new letter at once. */
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
  const isTaken = before.invitation ? !(await setEmail(write, before.uid, email)) : await isKnown(write, email)
  if (isTaken) {
    await mail.countFailure(permit.viewer.uid)
    return refused(refusal('user/email-taken', ['email']))
  }
  if (!before.invitation) return requestChange(before, { kind: 'email', newEmail: email }, write, mail)
  await giveRolesAgain(write, mail, before)
  const tooMany = await mail.invite(tx, { uid: before.uid, senderUid: permit.viewer.uid })
  if (tooMany) return refused(tooMany)
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

/** Among those whom the caller sees; of others nobody is told. */
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
