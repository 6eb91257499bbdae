import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../postgres/database.ts'

/** Deletes in a fixed order, so that two concurrent deletions do not deadlock. */
async function deletePayloads(tx: Transaction, condition: RawBuilder<unknown>): Promise<void> {
  await sql`delete from idp_payloads p using (
      select model, id from idp_payloads where ${condition} order by model, id for update
    ) gone where p.model = gone.model and p.id = gone.id`.execute(tx)
}

/** Revokes a grant and deletes all tokens and codes issued under it. */
export function deleteGrant(tx: Transaction, grantId: string): Promise<void> {
  return deletePayloads(tx, sql`grant_id = ${grantId} or (model = 'Grant' and id = ${grantId})`)
}

/**
 * Ends every session of a user at once: signed-in browsers, refresh tokens, codes and running sign-ins.
 * Bearer tokens of these sessions are refused from the next request on. For disabling a user, "sign out everywhere",
 * a forgotten password.
 */
export async function endSessionsOf(tx: Transaction, uid: string): Promise<void> {
  await sql`select app.end_sessions_of(${uid}::uuid)`.execute(tx)
}

/** Ends every session of a user except one, whose tokens must be requested again. For a changed password. */
export async function endOtherSessionsOf(tx: Transaction, uid: string, keptSessionUid: string): Promise<void> {
  const isKept = sql`model = 'Session' and session_uid = ${keptSessionUid}`
  await deletePayloads(tx, sql`account_id = ${uid} and not (${isKept})`)
}

/** Ends one session and deletes everything issued in it. */
export async function endSession(tx: Transaction, sessionUid: string): Promise<void> {
  const given = sql`model in ('RefreshToken', 'AccessToken', 'AuthorizationCode')`
  const account = await sql<{ accountId: string | null }>`select account_id from idp_payloads
    where model = 'Session' and session_uid = ${sessionUid}`.execute(tx)
  await deletePayloads(
    tx,
    sql`model = 'Session' and session_uid = ${sessionUid}
    or ${given} and account_id = ${account.rows[0]?.accountId ?? null} and payload ->> 'sessionUid' = ${sessionUid}`,
  )
}
