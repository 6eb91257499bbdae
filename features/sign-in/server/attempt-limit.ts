import { createHash } from 'node:crypto'
import type { CountedSignIn } from '@pc/platform/oidc/provider-configuration.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

const WINDOW_MINUTES = 15

/**
 * Attempts allowed in 15 minutes: per account (the email address as typed, whether or not it exists, or the uid), or per
 * network address (a /64 of IPv6, see `client-address.ts`), which a whole office may share.
 * Tested by `features/sign-in/server/sign-in-limits.test.ts`.
 */
export const LIMITS = {
  passwordOfAccount: 10,
  secondFactorOfAccount: 10,
  /** Passwords, codes, passkeys, bindings and links of first administrators. */
  credentialsFromAddress: 100,
  passkeyQuestionsFromAddress: 100,
  resetsFromAddress: 100,
  /** More requests get the same answer and no email. */
  resetEmailsOfAccount: 3,
  /** Enough for a large office in the morning. Bounds the stored authorisation requests, which are kept for an hour. */
  signInsFromAddress: 300,
} as const

export interface Attempt {
  readonly limit: keyof typeof LIMITS
  /** The account or the network address. */
  readonly by: string
}

/** Attempts are counted before the password is checked, and removed again when it was right. */
export type Reservation =
  | { readonly isAllowed: true; readonly attemptIds: readonly string[] }
  | { readonly isAllowed: false; readonly retryInMinutes: number }

const keyOf = ({ limit, by }: Attempt) => createHash('sha256').update(`${limit}\n${by}`).digest('base64url')

/**
 * Counts these attempts, if none has used up its limit in the last 15 minutes. One transaction under a lock per limit and
 * account or address: however many requests come at once, no more than the limit are ever evaluated.
 */
export function reserveAttempt(database: Database, nowMs: number, attempts: readonly Attempt[]): Promise<Reservation> {
  const limited = attempts.map(attempt => ({ key: keyOf(attempt), limit: LIMITS[attempt.limit] }))
  limited.sort((a, b) => (a.key < b.key ? -1 : 1))
  const now = new Date(nowMs)
  return database.inScope(SYSTEM, async tx => {
    for (const { key } of limited) await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 7))`.execute(tx)
    const waits: number[] = []
    for (const { key, limit } of limited) {
      // The minutes until the oldest relevant attempt leaves the window, so that another is allowed.
      const found = await sql<{ minutes: number }>`
        select ceil(extract(epoch from attempted_at + ${WINDOW_MINUTES} * interval '1 minute' - ${now}::timestamptz) / 60)::int
          as minutes
        from idp_attempts where subject = ${key} and attempted_at > ${now}::timestamptz - ${WINDOW_MINUTES} * interval '1 minute'
        order by attempted_at desc, id desc offset ${limit - 1} limit 1`.execute(tx)
      if (found.rows[0]) waits.push(Math.max(1, found.rows[0].minutes))
    }
    if (waits.length > 0) return { isAllowed: false, retryInMinutes: Math.max(...waits) }
    const attemptIds: string[] = []
    for (const { key } of limited) {
      const made = await sql<{ id: string }>`insert into idp_attempts (subject, attempted_at)
        values (${key}, ${now}) returning id::text as id`.execute(tx)
      attemptIds.push(...made.rows.map(row => row.id))
    }
    return { isAllowed: true, attemptIds }
  })
}

/**
 * Forgets the attempts of these accounts or network addresses, of every limit.
 * @returns how many there were
 */
export async function forgetAttemptsOf(tx: Transaction, accountsOrAddresses: readonly string[]): Promise<number> {
  const limits = Object.keys(LIMITS) as readonly Attempt['limit'][]
  const keys = accountsOrAddresses.flatMap(by => limits.map(limit => keyOf({ limit, by })))
  const gone = await sql`delete from idp_attempts where subject = any(${keys}::text[])`.execute(tx)
  return Number(gone.numAffectedRows ?? 0n)
}

/** Removes the attempts, because they were right. */
export async function forgetAttempt(database: Database, attemptIds: readonly string[]): Promise<void> {
  await database.inScope(SYSTEM, tx =>
    sql`delete from idp_attempts where id = any(${attemptIds}::bigint[])`.execute(tx),
  )
}

/** Counts an authorisation request by network address. `giveBack` removes it, for requests of an existing session. */
export async function countSignIn(database: Database, nowMs: number, address: string): Promise<CountedSignIn> {
  const reserved = await reserveAttempt(database, nowMs, [{ limit: 'signInsFromAddress', by: address }])
  return reserved.isAllowed
    ? { isAllowed: true, giveBack: () => forgetAttempt(database, reserved.attemptIds) }
    : reserved
}
