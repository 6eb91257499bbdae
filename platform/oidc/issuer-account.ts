import { sql } from 'kysely'
import { type Database, SYSTEM } from '../postgres/database.ts'

/** The claims of a person in tokens of the embedded issuer. */
export interface IssuerAccount {
  readonly uid: string
  readonly email: string
  readonly isEmailVerified: boolean
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Absolute lifetime of a session: after this the password is required again, however active the session is. */
export const SESSION_MAX_SECONDS = 7 * 86_400

/**
 * The account of a session that began at `startedAt` (seconds since 1970). Undefined when the user is disabled, the
 * session is too old, or "sign out everywhere" ended it.
 */
export async function usableAccount(
  database: Database,
  uid: string,
  startedAt: number,
): Promise<IssuerAccount | undefined> {
  if (!UUID.test(uid) || !Number.isSafeInteger(startedAt)) return undefined
  const [row] = await database.readSingleStatement(
    SYSTEM,
    sql<{ email: string; isEmailVerified: boolean }>`
    select email, email_verified_at is not null as is_email_verified from users
    where uid = ${uid}::uuid and enabled and to_timestamp(${startedAt}) >= sessions_valid_from
      and to_timestamp(${startedAt}) > now() - ${SESSION_MAX_SECONDS} * interval '1 second'`,
  )
  return row && { uid, ...row }
}
