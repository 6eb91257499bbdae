import {
  ACCOUNT_CHANGE_DAYS,
  type AccountChange,
  type AccountChangeKind,
  type AccountChangeRequest,
} from '@pc/domain/access/account-change.ts'
import type { AuditAction } from '@pc/domain/access/audit-action-labels.ja.ts'
import { type Actor, recordChange } from '@pc/platform/audit/record-change.ts'
import { endSessionsOf } from '@pc/platform/oidc/session-rows.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { AccountEmails } from './account-emails.ts'

const COLUMNS = sql`c.id, c.uid::text as uid, c.kind, c.email, c.new_email, c.requested_by_uid::text as requested_by_uid,
  c.source_address,
  case when c.state = 'pending' and c.expires_at <= now() then 'expired' else c.state end as state,
  c.old_email_confirmed_at is not null as is_old_confirmed, c.new_email_confirmed_at is not null as is_new_confirmed`

/**
 * Inserts a requested change; undefined when another one of the person is pending. Callers hold the lock on the
 * person's row.
 */
export async function insertChange(tx: Transaction, request: AccountChangeRequest): Promise<bigint | undefined> {
  const { uid, kind, email, newEmail, requestedByUid, sourceAddress } = request
  // Also expires a change that can no longer take effect, because the account has another address by now.
  await sql`update account_changes set state = 'expired', settled_at = least(expires_at, now())
    where uid = ${uid}::uuid and state = 'pending' and (expires_at <= now() or email <> ${email})`.execute(tx)
  const made = await sql<{ id: bigint }>`insert into account_changes
      (uid, kind, email, new_email, requested_by_uid, source_address, expires_at)
    values (${uid}::uuid, ${kind}, ${email}, ${newEmail}, ${requestedByUid}::uuid, ${sourceAddress},
      now() + ${ACCOUNT_CHANGE_DAYS} * interval '1 day')
    on conflict (uid) where state = 'pending' do nothing returning id`.execute(tx)
  return made.rows[0]?.id
}

/**
 * Inserts a person's own change, already confirmed at both addresses. It replaces an administrator's pending request.
 */
export async function insertOwnChange(tx: Transaction, request: AccountChangeRequest): Promise<AccountChange> {
  const { uid, kind, email, newEmail, sourceAddress } = request
  await sql`update account_changes set state = 'expired', settled_at = now()
    where uid = ${uid}::uuid and state = 'pending'`.execute(tx)
  const made = await sql<AccountChange>`insert into account_changes as c (uid, kind, email, new_email, requested_by_uid,
      source_address, expires_at, old_email_confirmed_at, new_email_confirmed_at)
    values (${uid}::uuid, ${kind}, ${email}, ${newEmail}, ${uid}::uuid, ${sourceAddress}, now() + interval '1 hour',
      now(), now())
    returning ${COLUMNS}`.execute(tx)
  const [change] = made.rows
  if (!change) throw new TypeError('a change that was inserted is there')
  return change
}

/** Locks the person, then the change. Everybody who settles a change takes the locks in this order. */
export async function lockChange(tx: Transaction, id: bigint | string): Promise<AccountChange | undefined> {
  await sql`select 1 from users where uid = (select uid from account_changes where id = ${id}) for no key update`.execute(
    tx,
  )
  const found =
    await sql<AccountChange>`select ${COLUMNS} from account_changes c where c.id = ${id} for update`.execute(tx)
  return found.rows[0]
}

/** The person's change that waits for confirmation. */
export async function findPendingChange(tx: Transaction, uid: string): Promise<AccountChange | undefined> {
  const found = await sql<AccountChange>`select ${COLUMNS} from account_changes c
    where c.uid = ${uid}::uuid and c.state = 'pending' and c.expires_at > now()`.execute(tx)
  return found.rows[0]
}

/** Ends a change that has no effect, or was undone. */
export async function endChange(
  tx: Transaction,
  id: bigint,
  state: 'withdrawn' | 'refused' | 'expired',
): Promise<void> {
  await sql`update account_changes set state = ${state}, settled_at = now() where id = ${id}`.execute(tx)
}

const EFFECTS: Readonly<Record<AccountChangeKind, AuditAction>> = {
  email: 'change-email',
  'second-factor': 'reset-second-factor',
  invitation: 'invite-again',
}

/**
 * Applies a pending change. `stale`: the account was disabled or has another address by now. `taken`: the new address
 * belongs to somebody else. The caller holds the locks of {@link lockChange}; the audit log names the requester.
 * Tested by `features/users/server/account-changes.test.ts`.
 */
export async function applyChange(
  tx: Transaction,
  emails: AccountEmails,
  change: AccountChange,
  by: { readonly uid: string; readonly requestId: string },
): Promise<'done' | 'stale' | 'taken'> {
  const { uid, kind, newEmail, requestedByUid } = change
  const person =
    await sql`select 1 from users where uid = ${uid}::uuid and enabled and email = ${change.email}`.execute(tx)
  if (person.rows.length === 0) return 'stale'
  const taken = await sql`select 1 from users where email = ${newEmail}
    union all select 1 where app.is_email_reserved(${newEmail}, ${uid}::uuid)`.execute(tx)
  if (taken.rows.length > 0) return 'taken'
  await sql`select app.keep_account_for_undo(${change.id})`.execute(tx)
  if (kind === 'email') await setEmail(tx, change)
  if (kind === 'second-factor') await sql`select app.reset_second_factors_of(${uid}::uuid)`.execute(tx)
  if (kind === 'invitation') await emails.openInvitation(tx, { uid, senderUid: requestedByUid })
  if (requestedByUid !== uid) await endSessionsOf(tx, uid)
  await sql`update account_changes set state = 'done', settled_at = now(), confirmed_by_uid = ${by.uid}::uuid
    where id = ${change.id}`.execute(tx)
  await emails.sendChange(tx, change.id, 'done')
  const actor: Actor = {
    uid: requestedByUid,
    actingAsUid: null,
    sourceAddress: change.sourceAddress,
    requestId: by.requestId,
  }
  await recordChange(tx, actor, {
    action: EFFECTS[kind],
    resource: 'iam:user.',
    rowId: uid,
    before: kind === 'email' ? { email: change.email } : null,
    after: { ...(kind === 'email' ? { email: newEmail } : {}), confirmedByUid: by.uid },
  })
  return 'done'
}

/** The new address counts as verified only if its owner opened the emailed link. */
async function setEmail(tx: Transaction, { uid, newEmail, isNewConfirmed }: AccountChange): Promise<void> {
  await sql`update users set email = ${newEmail}, updated_at = now(),
    email_verified_at = case when ${isNewConfirmed} then now() end where uid = ${uid}::uuid`.execute(tx)
}

/** Whether the previous state is still stored; it is kept for `ACCOUNT_UNDO_DAYS`. */
export async function canUndo(tx: Transaction, { id }: AccountChange): Promise<boolean> {
  return (await sql`select 1 from account_undos where change_id = ${id}`.execute(tx)).rows.length > 0
}

/**
 * Restores the account as it was before the change: address, password, second factors and the account at an external
 * issuer. Whole rows are restored; a column added since is null in them. Every session and link ends, and API keys made
 * since are revoked, so that an intruder keeps nothing.
 * @returns false when the old address belongs to another person by now; the account is disabled instead
 */
export async function undoChange(tx: Transaction, change: AccountChange): Promise<boolean> {
  const { uid, id } = change
  const taken = await sql`select 1 from users where email = ${change.email} and uid <> ${uid}::uuid`.execute(tx)
  const isFree = taken.rows.length === 0
  await sql`update invitations set expires_at = least(expires_at, now()), secret_sha256 = null
    where uid = ${uid}::uuid and accepted_at is null`.execute(tx)
  await sql`update users u set email = case when ${isFree} then k.email else u.email end, enabled = u.enabled and ${isFree},
      email_verified_at = case when ${isFree} then coalesce(u.email_verified_at, now()) end,
      oidc_issuer = k.oidc_issuer, oidc_subject = k.oidc_subject, updated_at = now()
    from account_undos k where k.change_id = ${id} and u.uid = ${uid}::uuid`.execute(tx)
  await sql`update idp_accounts a set password_hash = k.password_hash, password_changed_at = now()
    from account_undos k where k.change_id = ${id} and a.uid = ${uid}::uuid and k.password_hash is not null`.execute(tx)
  await sql`delete from idp_accounts where uid = ${uid}::uuid
    and exists (select from account_undos where change_id = ${id} and password_hash is null)`.execute(tx)
  await sql`delete from idp_authenticators where uid = ${uid}::uuid`.execute(tx)
  const usedCodes = await sql<{ code: string }>`select code_sha256 as code from idp_recovery_codes
    where uid = ${uid}::uuid and used_at is not null`.execute(tx)
  await sql`delete from idp_recovery_codes where uid = ${uid}::uuid`.execute(tx)
  await sql`insert into idp_authenticators overriding system value
    select f.* from account_undos k, jsonb_populate_recordset(null::idp_authenticators, k.authenticators) f
    where k.change_id = ${id} on conflict do nothing`.execute(tx)
  await sql`insert into idp_recovery_codes
    select r.* from account_undos k, jsonb_populate_recordset(null::idp_recovery_codes, k.recovery_codes) r
    where k.change_id = ${id} on conflict do nothing`.execute(tx)
  // Recovery codes used in the meantime stay used.
  await sql`update idp_recovery_codes set used_at = now() where uid = ${uid}::uuid and used_at is null
    and code_sha256 = any(${usedCodes.rows.map(row => row.code)}::text[])`.execute(tx)
  await sql`update publisher_api_keys k set revoked_at = now() from account_undos a where a.change_id = ${id}
    and k.created_by_uid = ${uid}::uuid and k.created_at >= a.kept_at and k.revoked_at is null`.execute(tx)
  await endSessionsOf(tx, uid)
  await endChangesSince(tx, change)
  return isFree
}

/**
 * Ends later changes, so that the person who made one cannot restore it by objecting. Earlier ones stay open to objection.
 */
async function endChangesSince(tx: Transaction, { uid, id }: AccountChange): Promise<void> {
  await sql`delete from idp_payloads p using account_changes c where c.uid = ${uid}::uuid and c.id >= ${id}
    and p.model = 'AccountChangeLink' and p.payload ->> 'change' = c.id::text`.execute(tx)
  await sql`delete from account_undos k using account_changes c
    where c.uid = ${uid}::uuid and c.id >= ${id} and k.change_id = c.id`.execute(tx)
  await sql`update account_changes set state = 'refused', settled_at = now()
    where uid = ${uid}::uuid and id > ${id} and state in ('pending', 'done')`.execute(tx)
}
