import { sql } from 'kysely'
import type { Transaction } from '../postgres/database.ts'
import { type Keyring, SealError } from './keyring.ts'

/** How sign-in secrets are stored in the database (docs/adr/0053). Tested by `apps/server/sign-in-secrets.test.ts`. */
export interface SecretsAtRest {
  /** Undefined: no key is configured. Sealed secrets cannot be read and new ones cannot be stored. */
  readonly keyring: Keyring | undefined
  /** Whether this process is the whole installation, so that no earlier version can run beside it. */
  readonly isAlone: boolean
}

/** A stored secret: encrypted, or in the clear while processes of the previous version must still read it. */
export type KeptSecret =
  | { readonly clear: string; readonly sealed: null }
  | { readonly clear: null; readonly sealed: string }

interface SealedFor {
  readonly purpose: string
  /** The user or part that it belongs to. It cannot be decrypted for another owner. */
  readonly owner: string
}

export const NO_SECRETS_KEY = `設定 SECRETS_KEY がありません。サインインの署名鍵と認証アプリの設定は、この鍵で暗号化して保管します。
鍵を作り（openssl rand -base64 32）、すべてのプロセスに同じ値を SECRETS_KEY（または SECRETS_KEY_FILE）として設定してから、起動し直してください。`

/** Encrypts a new secret, or keeps it clear during the transition. @throws SealError without a key */
export async function keepSecret(
  tx: Transaction,
  { keyring, isAlone }: SecretsAtRest,
  secret: SealedFor & { readonly text: string },
  nowMs: number,
): Promise<KeptSecret> {
  if (!keyring) throw new SealError(NO_SECRETS_KEY)
  if (!isAlone && (await areOlderProcessesReading(tx, nowMs))) return { clear: secret.text, sealed: null }
  return { clear: null, sealed: keyring.seal(secret.text, secret.purpose, secret.owner) }
}

/** @throws SealError when no configured key decrypts it */
export function openSecret({ keyring }: SecretsAtRest, kept: KeptSecret, { purpose, owner }: SealedFor): string {
  if (kept.clear !== null) return kept.clear
  if (!keyring) throw new SealError(NO_SECRETS_KEY)
  return keyring.open(kept.sealed, purpose, owner)
}

/** Whether processes of a version that reads only unencrypted secrets may still run (see db/postgres/0280). */
export async function areOlderProcessesReading(tx: Transaction, nowMs: number): Promise<boolean> {
  const found = await sql<{ isSoon: boolean }>`select (value #>> '{}')::timestamptz > ${new Date(nowMs)} as is_soon
    from idp_settings where key = 'sealed_from'`.execute(tx)
  return found.rows[0]?.isSoon ?? false
}
