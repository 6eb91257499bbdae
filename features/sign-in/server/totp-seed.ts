import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type Keyring, SealError } from '@pc/platform/secrets/keyring.ts'
import { type KeptSecret, keepSecret, openSecret, type SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import { sql } from 'kysely'

/** Bound to the person, so that nobody with write access to the database can move a seed to another account. */
const sealedFor = (uid: string) => ({ purpose: 'totp-seed', owner: `user ${uid}` })

/** @throws SealError without a key */
export function keepSeed(
  tx: Transaction,
  atRest: SecretsAtRest,
  uid: string,
  seed: Buffer,
  nowMs: number,
): Promise<KeptSecret> {
  return keepSecret(tx, atRest, { ...sealedFor(uid), text: seed.toString('base64url') }, nowMs)
}

/** @throws SealError when none of the current keys opens it */
export function openSeed(atRest: SecretsAtRest, uid: string, kept: KeptSecret): Buffer {
  return Buffer.from(openSecret(atRest, kept, sealedFor(uid)), 'base64url')
}

/** The stored seed of a row. A clear seed is newer than a sealed one: a process of an earlier version wrote it. */
export function keptSeed(row: { readonly seed: Buffer | null; readonly sealedSeed: string | null }): KeptSecret {
  return row.seed === null
    ? { clear: null, sealed: row.sealedSeed ?? '' }
    : { clear: row.seed.toString('base64url'), sealed: null }
}

/**
 * Seals seeds that are in the clear or under an older key. A seed that no key opens stays as it is.
 * Tested by `apps/server/sign-in-secrets.test.ts`.
 */
export async function sealSeeds(tx: Transaction, keyring: Keyring): Promise<void> {
  const { rows } = await sql<{ uid: string; seed: Buffer | null; sealedSeed: string | null }>`
    select uid::text as uid, totp_secret as seed, sealed_totp_secret as sealed_seed from idp_authenticators
    where kind = 'totp' and (totp_secret is not null or not starts_with(sealed_totp_secret, ${keyring.newestPrefix}))
    order by uid for update`.execute(tx)
  for (const { uid, ...row } of rows) {
    const seed = readable({ keyring, isAlone: true }, uid, keptSeed(row))
    if (!seed) continue
    const { purpose, owner } = sealedFor(uid)
    const sealed = keyring.seal(seed.toString('base64url'), purpose, owner)
    await sql`update idp_authenticators set totp_secret = null, sealed_totp_secret = ${sealed}
      where uid = ${uid}::uuid and kind = 'totp'`.execute(tx)
  }
}

function readable(atRest: SecretsAtRest, uid: string, kept: KeptSecret): Buffer | undefined {
  try {
    return openSeed(atRest, uid, kept)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
