import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Database, SYSTEM, type Transaction } from '../postgres/database.ts'

/** One RS256 key pair of the embedded issuer. */
export interface SigningKey {
  readonly kid: string
  readonly privateJwk: JWK
  readonly createdAt: string
}

export interface IssuerKeys {
  /** Newest first: the first one signs, all of them verify. */
  readonly signing: readonly SigningKey[]
  /** Newest first: the first one signs cookies. */
  readonly cookies: readonly string[]
}

export interface SigningKeys {
  /** The keys of now: kept for at most a minute, so that another process's rotation is noticed. */
  current(): Promise<IssuerKeys>
  /** Reads again, at most every ten seconds. For a token that names a key which is not known here. */
  refresh(): Promise<IssuerKeys>
  /** Makes a new signing key; older ones keep verifying for as long as a session may live. */
  rotate(): Promise<IssuerKeys>
}

const SETTING = 'issuer_keys'
const KEPT_FOR_MS = 60_000
const REFRESH_COOLDOWN_MS = 10_000
/** Longer than any session: an ID token may be shown as a hint at sign-out long after it expired. */
const VERIFIES_FOR_MS = 30 * 86_400_000

/** About 128 bits of security, until 2030 and beyond (NIST SP 800-57); keys of before keep verifying, and rotate. */
const KEY_BITS = 3072

async function makeKey(clock: Clock): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: KEY_BITS, extractable: true })
  const kid = randomBytes(12).toString('base64url')
  return {
    kid,
    privateJwk: { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' },
    createdAt: new Date(clock.now()).toISOString(),
  }
}

async function stored(tx: Transaction): Promise<IssuerKeys | undefined> {
  const found = await sql<{
    value: string
  }>`select value::text as value from idp_settings where key = ${SETTING}`.execute(tx)
  return found.rows[0] && (JSON.parse(found.rows[0].value) as IssuerKeys)
}

/** Keys of the embedded issuer in PostgreSQL; the first caller of all processes makes them. */
export function signingKeys(database: Database, clock: Clock): SigningKeys {
  let known: { keys: IssuerKeys; readAt: number } | undefined

  /** Reads, or changes, the stored keys while no other process does. */
  async function load(change?: (keys: IssuerKeys) => Promise<IssuerKeys>): Promise<IssuerKeys> {
    const keys = await database.inScope(SYSTEM, async tx => {
      const present = change ? undefined : await stored(tx)
      if (present) return present
      await sql`select pg_advisory_xact_lock(hashtextextended(${SETTING}, 0))`.execute(tx)
      const before = await stored(tx)
      if (before && !change) return before
      const first = before ?? {
        signing: [await makeKey(clock)],
        cookies: [randomBytes(32).toString('base64url')],
      }
      const next = before && change ? await change(first) : first
      await sql`insert into idp_settings (key, value) values (${SETTING}, ${JSON.stringify(next)}::jsonb)
        on conflict (key) do update set value = excluded.value`.execute(tx)
      return next
    })
    known = { keys, readAt: clock.now() }
    return keys
  }

  const youngerThan = (ms: number) => known !== undefined && Math.abs(clock.now() - known.readAt) < ms
  return {
    current: async () => (known && youngerThan(KEPT_FOR_MS) ? known.keys : load()),
    refresh: async () => (known && youngerThan(REFRESH_COOLDOWN_MS) ? known.keys : load()),
    rotate: () =>
      load(async keys => ({
        ...keys,
        signing: [
          await makeKey(clock),
          ...keys.signing.filter(key => clock.now() - Date.parse(key.createdAt) < VERIFIES_FOR_MS),
        ],
      })),
  }
}

/** The public half, as published at the issuer's `jwks_uri`. */
export function publicJwk(key: SigningKey): JWK {
  const { kty, n, e, kid, use, alg } = key.privateJwk
  return { kty, n, e, kid, use, alg } as JWK
}
