import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Database, SYSTEM, type Transaction } from '../postgres/database.ts'
import { type Keyring, SealError } from '../secrets/keyring.ts'
import {
  type KeptSecret,
  keepSecret,
  NO_SECRETS_KEY,
  openSecret,
  type SecretsAtRest,
} from '../secrets/secrets-at-rest.ts'

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
  /** The current keys. Cached for at most a minute, so that a rotation in another process is noticed. */
  current(): Promise<IssuerKeys>
  /** Reads the keys again, at most every ten seconds. For tokens that name an unknown key. */
  refresh(): Promise<IssuerKeys>
  /** Creates a new signing key. Older keys verify as long as a session may live. */
  rotate(): Promise<IssuerKeys>
}

const SETTING = 'issuer_keys'
const KEPT_FOR_MS = 60_000
const REFRESH_COOLDOWN_MS = 10_000
/** Longer than any session, because an expired ID token may still be a hint at sign-out. */
const VERIFIES_FOR_MS = 30 * 86_400_000

/** About 128 bits of security (NIST SP 800-57). Existing shorter keys keep verifying until they are rotated out. */
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

/** Encryption context of the keys: they belong to the installation, not to a person. */
const SEALED_FOR = { purpose: 'issuer-keys', owner: 'issuer' }

/** The keys as stored. Unencrypted ones were written by an earlier version, or by a version running beside this one. */
async function storedValue(tx: Transaction): Promise<KeptSecret | undefined> {
  const { rows } = await sql<{
    value: string
  }>`select value::text as value from idp_settings where key = ${SETTING}`.execute(tx)
  if (!rows[0]) return undefined
  const { sealed } = JSON.parse(rows[0].value) as { sealed?: string }
  return sealed === undefined ? { clear: rows[0].value, sealed: null } : { clear: null, sealed }
}

async function save(tx: Transaction, { clear, sealed }: KeptSecret): Promise<void> {
  await sql`insert into idp_settings (key, value) values (${SETTING}, ${clear ?? JSON.stringify({ sealed })}::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(tx)
}

/** Waits until no other process creates, rotates or encrypts keys. Held until the transaction ends. */
async function lock(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${SETTING}, 0))`.execute(tx)
}

/**
 * Encrypts keys that are stored in the clear or under an older key.
 * @throws SealError when none of the configured keys decrypts them
 */
export async function sealIssuerKeys(tx: Transaction, keyring: Keyring): Promise<void> {
  if (!mustBeSealed(await storedValue(tx), keyring)) return
  await lock(tx)
  const kept = await storedValue(tx)
  if (!kept || !mustBeSealed(kept, keyring)) return
  const text = openSecret({ keyring, isAlone: true }, kept, SEALED_FOR)
  await save(tx, { clear: null, sealed: keyring.seal(text, SEALED_FOR.purpose, SEALED_FOR.owner) })
}

function mustBeSealed(kept: KeptSecret | undefined, { newestPrefix }: Keyring): boolean {
  return kept !== undefined && !kept.sealed?.startsWith(newestPrefix)
}

/** Start-up check that the stored keys can be decrypted. @throws SealError, in words for the operator */
export async function demandReadableIssuerKeys(tx: Transaction, atRest: SecretsAtRest): Promise<void> {
  const kept = await storedValue(tx)
  if (!kept && !atRest.keyring) throw new SealError(NO_SECRETS_KEY)
  try {
    if (kept) openSecret(atRest, kept, SEALED_FOR)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    const why =
      error.missingKeyId === undefined
        ? '値が壊れているか、SECRETS_KEY がありません'
        : `鍵 ${error.missingKeyId} がありません`
    throw new SealError(`サインインの署名鍵を開けません（${why}）。
保存したときの鍵を戻してください：SECRETS_KEY に元の値を（新しい鍵の後にカンマで区切って並べられます）、組み込みの場合は DATA_DIR/secrets.key をバックアップから。
元の鍵を失ったときは「npm run db -- renew-issuer-keys --yes」で署名鍵を作り直します。全員がサインインし直し、認証アプリを使う人はリカバリーコードでサインインして設定し直します（docs/keys.md）。`)
  }
}

/** Deletes the keys, which invalidates every token and session. New ones are created at next use. */
export async function forgetIssuerKeys(tx: Transaction): Promise<void> {
  await lock(tx)
  await sql`delete from idp_settings where key = ${SETTING}`.execute(tx)
}

/** Signing keys of the embedded issuer, stored in PostgreSQL. The first process that needs them creates them. */
export function signingKeys(database: Database, clock: Clock, atRest: SecretsAtRest): SigningKeys {
  let known: { keys: IssuerKeys; readAt: number } | undefined

  const read = (kept: KeptSecret) => JSON.parse(openSecret(atRest, kept, SEALED_FOR)) as IssuerKeys

  /** Reads the stored keys, and optionally changes them, under a lock against other processes. */
  async function load(change?: (keys: IssuerKeys) => Promise<IssuerKeys>): Promise<IssuerKeys> {
    const keys = await database.inScope(SYSTEM, async tx => {
      const present = change ? undefined : await storedValue(tx)
      if (present) return read(present)
      await lock(tx)
      const before = await storedValue(tx)
      if (before && !change) return read(before)
      const first = before ? read(before) : await firstKeys(clock)
      const next = before && change ? await change(first) : first
      await save(tx, await keepSecret(tx, atRest, { ...SEALED_FOR, text: JSON.stringify(next) }, clock.now()))
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

async function firstKeys(clock: Clock): Promise<IssuerKeys> {
  return { signing: [await makeKey(clock)], cookies: [randomBytes(32).toString('base64url')] }
}

/** The public half, as published at the issuer's `jwks_uri`. */
export function publicJwk(key: SigningKey): JWK {
  const { kty, n, e, kid, use, alg } = key.privateJwk
  return { kty, n, e, kid, use, alg } as JWK
}
