import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { hashPassword, NO_ACCOUNT_HASH, needsRehash, verifyPassword } from '@pc/platform/oidc/password-hash.ts'
import { normalizedEmail } from '@pc/platform/oidc/session-check.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import { forgetAttempt, reserveAttempt } from './attempt-limit.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
  /** The network address that the attempt is counted for. */
  readonly address: string
  /** The key of a known device (`known-device.ts`), whose attempts are counted separately. */
  readonly device?: string | undefined
}

interface AccountRow {
  readonly uid: string
  readonly passwordHash: string
  readonly enabled: boolean
}

/** Longer than any accepted password; longer input is cut before hashing and refused. */
const MAX_EVALUATED_LENGTH = 1024

async function accountOf(database: Database, email: string): Promise<AccountRow | undefined> {
  const found = await database.inScope(SYSTEM, tx =>
    sql<AccountRow>`select u.uid::text as uid, a.password_hash, u.enabled from users u
      join idp_accounts a on a.uid = u.uid where u.email = ${email}`.execute(tx),
  )
  return found.rows[0]
}

async function renewHash(database: Database, uid: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await database.inScope(SYSTEM, tx =>
    sql`update idp_accounts set password_hash = ${hash} where uid = ${uid}::uuid`.execute(tx),
  )
}

/**
 * Checks email and password. An unknown email, a wrong password, a disabled user and a user without a password all get the
 * same refusal after the same work, so that neither answer nor duration reveals which accounts exist.
 */
export async function checkCredentials(
  database: Database,
  clock: Clock,
  given: Credentials,
): Promise<Result<{ uid: string }, Refusal<SignInRefusalCode>>> {
  const email = normalizedEmail(given.email).slice(0, 320)
  const reservation = await reserveAttempt(database, clock.now(), [
    { limit: 'passwordOfAccount', by: given.device === undefined ? email : `${email}\n${given.device}` },
    { limit: 'credentialsFromAddress', by: given.address },
  ])
  if (!reservation.isAllowed) {
    return refused(refusal('sign-in/too-many-attempts', [], { minutes: reservation.retryInMinutes }))
  }
  const account = await accountOf(database, email)
  const password = given.password.slice(0, MAX_EVALUATED_LENGTH)
  const isRight = await verifyPassword(account?.passwordHash ?? (await NO_ACCOUNT_HASH), password)
  if (!account?.enabled || !isRight || given.password.length > MAX_EVALUATED_LENGTH) {
    return refused(refusal('sign-in/wrong-credentials'))
  }
  await forgetAttempt(database, reservation.attemptIds)
  if (needsRehash(account.passwordHash)) await renewHash(database, account.uid, password)
  return ok({ uid: account.uid })
}
