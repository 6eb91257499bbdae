import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { firstAdminHref } from '../links.ts'
import type { SignInRefusalCode } from '../refusals.ts'
import { refuseNewPassword } from './new-password.ts'
import { hashOfLink, makeLink, readLink, spendLink, voidLinks } from './one-time-link.ts'

const VALID_FOR_SECONDS = 24 * 3600

/** Where people sign in: an external issuer, or undefined for the embedded one. */
export type ExternalIssuer = string | undefined

/** Callers hold this lock, so that of two links only one makes an administrator. */
export async function lockFirstAdmin(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first-admin', 7))`.execute(tx)
}

export async function hasNoUsers(tx: Transaction): Promise<boolean> {
  return (await sql`select 1 from users limit 1`.execute(tx)).rows.length === 0
}

/** Whether somebody can sign in as an administrator: an invitation that nobody has accepted does not count. */
export async function hasAdministrator(tx: Transaction, issuer: ExternalIssuer): Promise<boolean> {
  const canSignIn =
    issuer === undefined
      ? sql`exists (select from idp_accounts a where a.uid = u.uid)`
      : sql`u.oidc_issuer = ${issuer} and u.oidc_subject is not null`
  const found = await sql`select 1 from users u join user_roles r on r.uid = u.uid and r.role_name = 'admin'
    where u.enabled and ${canSignIn} limit 1`.execute(tx)
  return found.rows.length > 0
}

/**
 * The address that makes the first administrator, for an empty system; undefined when there is somebody already.
 * Each call voids the link before. Valid for 24 hours, once; only its hash is kept.
 */
export function makeFirstAdminLink(database: Database, webOrigin: string): Promise<string | undefined> {
  return database.inScope(SYSTEM, async tx => {
    await lockFirstAdmin(tx)
    return (await hasNoUsers(tx)) ? linkFor(tx, webOrigin) : undefined
  })
}

/** @param named whom an operator has named: the address cannot be changed then, and `uid` is an account that exists */
export async function linkFor(
  tx: Transaction,
  webOrigin: string,
  named: { readonly email?: string; readonly uid?: string } = {},
): Promise<string> {
  await voidLinks(tx, 'FirstAdminLink')
  return `${webOrigin}${firstAdminHref(await makeLink(tx, 'FirstAdminLink', named, VALID_FOR_SECONDS))}`
}

/** What an open link says: the address, where an operator has named it. */
export async function readFirstAdminLink(
  database: Database,
  issuer: ExternalIssuer,
  secret: string,
): Promise<{ readonly email: string | null } | undefined> {
  return database.inScope(SYSTEM, async tx => {
    const link = await readLink(tx, 'FirstAdminLink', secret)
    return link && !(await hasAdministrator(tx, issuer)) ? { email: link.email ?? null } : undefined
  })
}

export interface FirstAdmin {
  readonly secret: string
  readonly email: string
  readonly password: string
}

/** Makes the first administrator of the embedded issuer, for a person who holds the link. */
export async function makeFirstAdmin(
  database: Database,
  input: FirstAdmin,
): Promise<Result<{ uid: string }, Refusal<SignInRefusalCode>>> {
  const email = mailAddress(input.email)
  const weak = refuseNewPassword(input.password, email ?? input.email, ['password'])
  // Both at once: nobody is to correct one to be told of the other.
  if (!email) return refused(refusal('sign-in/email-invalid', ['email']), ...(weak ? [weak] : []))
  if (weak) return refused(weak)
  const hash = await hashPassword(input.password)
  return database.inScope(SYSTEM, async tx => {
    await lockFirstAdmin(tx)
    if (await hasAdministrator(tx, undefined)) return refused(refusal('sign-in/link-expired'))
    if (!(await readLink(tx, 'FirstAdminLink', input.secret))) return refused(refusal('sign-in/link-expired'))
    const uid = await insertAdministrator(tx, email)
    if (uid === undefined) return refused(refusal('sign-in/email-taken', ['email']))
    await spendLink(tx, 'FirstAdminLink', hashOfLink(input.secret))
    await sql`insert into idp_accounts (uid, password_hash) values (${uid}::uuid, ${hash})`.execute(tx)
    return ok({ uid })
  })
}

/** A new user with the role `admin`; undefined where the address is somebody's: no link takes an account over. */
export async function insertAdministrator(tx: Transaction, email: string): Promise<string | undefined> {
  const made = await sql<{ uid: string }>`insert into users (email, email_verified_at) values (${email}, now())
    on conflict (email) do nothing returning uid::text as uid`.execute(tx)
  const uid = made.rows[0]?.uid
  if (uid === undefined) return undefined
  await sql`insert into roles (name) values ('admin') on conflict do nothing`.execute(tx)
  await sql`insert into user_roles (uid, role_name) values (${uid}::uuid, 'admin')`.execute(tx)
  return uid
}
