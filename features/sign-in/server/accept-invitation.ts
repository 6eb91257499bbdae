import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import { refuseNewPassword } from './new-password.ts'
import { hashOfLink } from './one-time-link.ts'
import { auditAccount } from './sign-in-call.ts'

export interface OpenInvitation {
  readonly email: string
  readonly organization: string | null
}

/** The person whom a link invites; undefined when the link was used, replaced or has expired. */
export function readInvitation(database: Database, secret: string): Promise<OpenInvitation | undefined> {
  return database.inScope(SYSTEM, tx => findOpenInvitation(tx, hashOfLink(secret)))
}

/** @param link the hash of the link's secret */
export async function findOpenInvitation(
  tx: Transaction,
  link: string,
): Promise<(OpenInvitation & { uid: string }) | undefined> {
  const found = await sql<OpenInvitation & { uid: string }>`select u.uid::text as uid, u.email, o.name as organization
    from invitations i join users u on u.uid = i.uid and u.enabled
    left join organizations o on o.id = u.organization_id
    where i.secret_sha256 = ${link} and i.accepted_at is null and i.expires_at > now()
    for update of i`.execute(tx)
  return found.rows[0]
}

/**
 * Sets the person's password; works once per link. Opening the emailed link also verifies the address.
 * Tested by `features/users/server/invitations.test.ts`.
 */
export async function acceptInvitation(
  database: Database,
  input: { readonly secret: string; readonly password: string; readonly address: string },
): Promise<Result<{ uid: string }, Refusal<SignInRefusalCode>>> {
  const invited = await readInvitation(database, input.secret)
  if (!invited) return refused(refusal('sign-in/link-expired'))
  const weak = refuseNewPassword(input.password, invited.email, ['password'])
  if (weak) return refused(weak)
  const hash = await hashPassword(input.password)
  return database.inScope(SYSTEM, async tx => {
    const open = await findOpenInvitation(tx, hashOfLink(input.secret))
    if (!open) return refused(refusal('sign-in/link-expired'))
    const { uid } = open
    await sql`update invitations set accepted_at = now(), secret_sha256 = null where uid = ${uid}::uuid`.execute(tx)
    await sql`update users set email_verified_at = now(), updated_at = now() where uid = ${uid}::uuid`.execute(tx)
    await sql`insert into idp_accounts (uid, password_hash) values (${uid}::uuid, ${hash})
      on conflict (uid) do update set password_hash = excluded.password_hash, password_changed_at = now()`.execute(tx)
    await auditAccount(tx, input.address, { uid, action: 'accept-invitation', isAuthenticated: true })
    return ok({ uid })
  })
}
