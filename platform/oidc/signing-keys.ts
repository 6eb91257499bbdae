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

/** Bound to the installation as a whole: with the private keys, who may verify is sealed as well. */
const SEALED_FOR = { purpose: 'issuer-keys', owner: 'issuer' }

/** As they lie in the row; keys in the clear were written by an earlier version, or beside one. */
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

/** No other process makes, changes or seals keys until the transaction ends. */
async function lock(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${SETTING}, 0))`.execute(tx)
}

/** Seals keys that are in the clear or under an older key. @throws SealError when no key of now opens them */
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

/** What an operator has to know before anybody is served. @throws SealError, in words for people */
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

/** They are made again at the next use: every token and every session of before is void. */
export async function forgetIssuerKeys(tx: Transaction): Promise<void> {
  await lock(tx)
  await sql`delete from idp_settings where key = ${SETTING}`.execute(tx)
}

/** Keys of the embedded issuer in PostgreSQL; the first caller of all processes makes them. */
export function signingKeys(database: Database, clock: Clock, atRest: SecretsAtRest): SigningKeys {
  let known: { keys: IssuerKeys; readAt: number } | undefined

  const read = (kept: KeptSecret) => JSON.parse(openSecret(atRest, kept, SEALED_FOR)) as IssuerKeys

  /** Reads, or changes, the stored keys while no other process does. */
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
