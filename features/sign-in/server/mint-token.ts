import type { Clock } from '@pc/platform/clock.ts'
import type { EmbeddedIssuer } from '@pc/platform/oidc/embedded-issuer.ts'
import { readSecondFactorDue } from '@pc/platform/oidc/second-factor-due.ts'
import { normalizedEmail } from '@pc/platform/oidc/session-check.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** The response of the control socket to `POST /token {email}`. */
export interface TokenAnswer {
  readonly status: 200 | 400 | 404 | 409
  readonly body: { readonly token: string } | { readonly message: string }
}

/**
 * An ID token of ten minutes with a session of its own, for scripts and load tests on this machine. Only the embedded
 * issuer can make one. Access to the control socket is the permission.
 */
export async function mintToken(
  database: Database,
  issuer: EmbeddedIssuer | undefined,
  clock: Clock,
  email: unknown,
): Promise<TokenAnswer> {
  if (!issuer)
    return { status: 409, body: { message: 'Tokens come from OIDC_ISSUER; only the embedded one can make them here.' } }
  if (typeof email !== 'string' || email === '')
    return { status: 400, body: { message: 'Which user? --email <address>' } }
  const found = await database.inScope(SYSTEM, tx =>
    sql<{ uid: string }>`select uid::text as uid from users where email = ${normalizedEmail(email)}`.execute(tx),
  )
  const uid = found.rows[0]?.uid
  const dueAt = uid === undefined ? null : await readSecondFactorDue(database, uid)
  if (dueAt && dueAt.getTime() <= clock.now())
    return { status: 409, body: { message: `${email} needs a second factor: sign in at the screen to set one up.` } }
  const token = uid && (await issuer.mintToken(uid))
  return token ? { status: 200, body: { token } } : { status: 404, body: { message: `No enabled user ${email}.` } }
}
