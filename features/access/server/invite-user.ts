import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { refuseRoles } from '@pc/domain/access/user-changes.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import { auditedUser, insertRoles, notifyOfRoles, type UserWrite } from './change-user.ts'
import { managedUser } from './confirm-account-change.ts'
import { type CountedAttempt, countAttempt, countMail, type InviteRefusal } from './count-attempt.ts'
import { requestAccountChange } from './request-account-change.ts'
import { insertAgreements, organizationsOfAgreements, refuseAgreements } from './user-agreements.ts'
import { readUser, type UserRow } from './user-store.ts'

export interface Invitee {
  readonly email: string
  readonly roles: readonly Role[]
  /** Ignored when a publisher's administrator invites: then it is the administrator's organisation. */
  readonly organizationId: bigint | null
  readonly agreementIds: readonly bigint[]
}

export interface NewUser extends Invitee {
  /** False: the person cannot sign in, although invited. */
  readonly enabled: boolean
}

/** {@link countAttempt} for an invitation. */
export function countInvitation(
  database: Database,
  input: Invitee,
  permit: UserWrite['permit'],
  mail: AccountMailPort,
): Promise<CountedAttempt> {
  return countAttempt(database, permit, mail, async tx => {
    const checked = await checkInvitees([{ ...input, enabled: true }], { tx, permit })
    return checked.ok ? checked : refused(...outOfPlace(checked.refusals))
  })
}

/**
 * Creates a user who can first sign in with the link of an email and in no other way.
 * @param attempt the result of {@link countInvitation} for the same input
 */
export async function inviteUser(
  input: Invitee,
  write: UserWrite,
  mail: AccountMailPort,
  attempt: CountedAttempt,
): Promise<Result<UserRow, Refusal<RefusalCode>>> {
  if (!attempt.ok) return attempt
  const made = await makeUsers([{ ...input, enabled: true }], write, mail, { sendsEmails: true })
  if (!made.ok) return refused(...outOfPlace(made.refusals))
  const user = await readUser(write.tx, made.value[0]?.uid ?? '', write.permit)
  return user ? ok(user) : refused(refusal('record/not-found'))
}

/**
 * Creates users: all of them, or none when one is refused. Without `sendsEmails` somebody sends the emails later. A
 * refusal's path begins with the index of the invitee.
 * Tested by `features/users/server/invitations.test.ts`.
 */
export async function inviteUsers(
  inputs: readonly NewUser[],
  write: UserWrite,
  mail: AccountMailPort,
  { sendsEmails }: { readonly sendsEmails: boolean },
): Promise<Result<readonly { readonly uid: string }[], InviteRefusal>> {
  const { tx, permit } = write
  const { uid: senderUid } = permit.viewer
  // Otherwise a caller who does not see every user could try out addresses without being counted.
  if (permit.scope.kind !== 'all') throw new TypeError('people are invited together by those who see everybody')
  const tooMany = sendsEmails && (await mail.countMails(tx, { senderUid, count: inputs.length }))
  if (tooMany) return { ok: false, refusals: inPlace(0, [tooMany]) }
  return makeUsers(inputs, write, mail, { sendsEmails })
}

/** Creates the users. The caller has counted the attempt. */
async function makeUsers(
  inputs: readonly NewUser[],
  write: UserWrite,
  mail: AccountMailPort,
  { sendsEmails }: { readonly sendsEmails: boolean },
): Promise<Result<readonly { readonly uid: string }[], InviteRefusal>> {
  const { tx, permit } = write
  const { uid: senderUid } = permit.viewer
  const checked = await checkInvitees(inputs, write)
  if (!checked.ok) return checked
  const made = await insertUsers(write, checked.value)
  const organizationOf = await organizationsOfAgreements(
    tx,
    checked.value.flatMap(({ agreementIds }) => agreementIds),
  )
  const refusals = checked.value.flatMap((invitee, place): InviteRefusal[] => {
    if (made[place] === undefined) return inPlace(place, [refusal('user/email-taken', ['email'])])
    const wrong = refuseAgreements(invitee, invitee.agreementIds, organizationOf)
    return wrong ? inPlace(place, [wrong]) : []
  })
  if (refusals.length > 0) return { ok: false, refusals }
  const people = checked.value.map((invitee, place) => ({ ...invitee, uid: made[place] ?? '' }))
  await insertRoles(write, people)
  await insertAgreements(tx, people)
  const uids = people.map(person => person.uid)
  if (sendsEmails) for (const uid of uids) await mail.invite(tx, { uid, senderUid })
  else await mail.postponeInvitations(tx, { uids, senderUid })
  await notifyOfRoles(write, mail, people)
  for (const { uid, organizationId, ...person } of people) {
    const roles = ROLES.filter(role => person.roles.includes(role))
    const organization = organizationId === null ? null : { id: organizationId }
    const after = auditedUser({ ...person, roles, organization })
    write.record({ action: 'invite', resource: 'iam:user.', rowId: uid, before: null, after })
  }
  return ok(people)
}

/** The invitees with normalised addresses and the organisation that they join. */
async function checkInvitees(
  inputs: readonly NewUser[],
  { tx, permit }: Pick<UserWrite, 'tx' | 'permit'>,
): Promise<Result<readonly NewUser[], InviteRefusal>> {
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
 * The uids of the new users, in order; undefined where the address already has an account, perhaps in an organisation
 * that the caller does not see.
 * @throws the constraint's error when one of several addresses is reserved for its former owner, because the error does
 * not say which
 */
async function insertUsers({ tx }: UserWrite, invitees: readonly NewUser[]): Promise<readonly (string | undefined)[]> {
  try {
    const made = await tx
      .insertInto('users')
      .values(invitees.map(({ email, organizationId, enabled }) => ({ email, organizationId, enabled })))
      .onConflict(conflict => conflict.doNothing())
      .returning(['uid', 'email'])
      .execute()
    const uids = new Map(made.map(({ uid, email }) => [email, uid]))
    return invitees.map(({ email }) => {
      const uid = uids.get(email)
      // If an address is listed twice, the second one is refused as taken.
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
 * Sends a new invitation with a new link to somebody who has not accepted yet; the old link becomes invalid. The link
 * is only emailed, never shown. With an external issuer it can also be sent to somebody who has accepted, once the
 * person or a second administrator agrees; the bound account stays until the link binds another one.
 */
export async function regenerateInviteLink(
  uid: string,
  write: UserWrite,
  mail: AccountMailPort,
): Promise<Result<UserRow, InviteRefusal>> {
  const user = await managedUser(uid, write)
  if (!user.ok) return user
  const before = user.value
  if (!before.invitation && !mail.isIssuerExternal) return refused(refusal('user/already-active'))
  if (!before.enabled) return refused(refusal('user/disabled'))
  const counted = await countMail(write.tx, write.permit, mail)
  if (!counted.ok) return counted
  if (!before.invitation) return requestAccountChange(before, { kind: 'invitation', newEmail: null }, write, mail)
  await mail.invite(write.tx, { uid: before.uid, senderUid: write.permit.viewer.uid })
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
