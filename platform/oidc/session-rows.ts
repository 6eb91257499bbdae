import { sql } from 'kysely'
import type { Transaction } from '../postgres/database.ts'

/**
 * Ends every session of a user at once: signed-in browsers, refresh tokens, codes and running sign-ins.
 * Bearer tokens of these sessions are refused from the next request on. For disabling a user, "sign out everywhere",
 * a forgotten password.
 */
export async function endSessionsOf(tx: Transaction, uid: string): Promise<void> {
  // Sessions count their beginning in whole seconds: a sign-in within the same second must not be refused.
  await sql`update users set sessions_valid_from = date_trunc('second', now()) where uid = ${uid}::uuid`.execute(tx)
  await sql`delete from idp_payloads where account_id = ${uid}`.execute(tx)
}

/** Ends every session of a user but one, which has to ask for tokens again. For a changed password. */
export async function endOtherSessionsOf(tx: Transaction, uid: string, keptSessionUid: string): Promise<void> {
  await sql`delete from idp_payloads where account_id = ${uid}
    and not (model = 'Session' and session_uid = ${keptSessionUid})`.execute(tx)
}

/** Ends one session and everything that was given out in it. */
export async function endSession(tx: Transaction, sessionUid: string): Promise<void> {
  await sql`delete from idp_payloads where model = 'Session' and session_uid = ${sessionUid}`.execute(tx)
  await sql`delete from idp_payloads where model in ('RefreshToken', 'AccessToken', 'AuthorizationCode')
    and payload ->> 'sessionUid' = ${sessionUid}`.execute(tx)
}
