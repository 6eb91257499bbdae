import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { firstAdminHref } from '../links.ts'
import type { SignInRefusalCode } from '../refusals.ts'
import { refuseNewPassword } from './new-password.ts'
import { makeLink, useLink, voidLinks } from './one-time-link.ts'

const VALID_FOR_SECONDS = 24 * 3600

/** A system without any person. Callers hold the lock, so that of two links only one makes an administrator. */
async function hasNoUsers(tx: Transaction): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first-admin', 7))`.execute(tx)
  return (await sql`select 1 from users limit 1`.execute(tx)).rows.length === 0
}

/**
 * The address that makes the first administrator, for an empty system; undefined when there is somebody already.
 * Each call voids the link before. Valid for 24 hours, once; only its hash is kept.
 */
export function makeFirstAdminLink(database: Database, webOrigin: string): Promise<string | undefined> {
  return database.inScope(SYSTEM, async tx => {
    if (!(await hasNoUsers(tx))) return undefined
    await voidLinks(tx, 'FirstAdminLink')
    return `${webOrigin}${firstAdminHref(await makeLink(tx, 'FirstAdminLink', {}, VALID_FOR_SECONDS))}`
  })
}

export interface FirstAdmin {
  readonly secret: string
  readonly email: string
  readonly password: string
}

/** Makes the first user, with the role `admin`, for whoever holds the link of an empty system. */
export async function makeFirstAdmin(
  database: Database,
  input: FirstAdmin,
): Promise<Result<{ uid: string }, Refusal<SignInRefusalCode>>> {
  const email = mailAddress(input.email)
  if (!email) return refused(refusal('sign-in/email-invalid', ['email']))
  const weak = refuseNewPassword(input.password, email, ['password'])
  if (weak) return refused(weak)
  const hash = await hashPassword(input.password)
  return database.inScope(SYSTEM, async tx => {
    const isEmpty = await hasNoUsers(tx)
    const link = await useLink(tx, 'FirstAdminLink', input.secret)
    if (!link || !isEmpty) return refused(refusal('sign-in/link-expired'))
    const made = await sql<{ uid: string }>`insert into users (email, email_verified_at) values (${email}, now())
      returning uid::text as uid`.execute(tx)
    const uid = made.rows[0]?.uid ?? ''
    await sql`insert into roles (name) values ('admin') on conflict do nothing`.execute(tx)
    await sql`insert into user_roles (uid, role_name) values (${uid}::uuid, 'admin')`.execute(tx)
    await sql`insert into idp_accounts (uid, password_hash) values (${uid}::uuid, ${hash})`.execute(tx)
    return ok({ uid })
  })
}
