import { randomBytes } from 'node:crypto'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type Keyring, SealError } from '@pc/platform/secrets/keyring.ts'
import { sql } from 'kysely'

const PURPOSE = 'webhook-secret'

/** The columns of a webhook that hold its secret, in one of two forms. */
interface StoredWebhookSecret {
  readonly organizationId: bigint | null
  /** In the clear, written by a process of an earlier version and not sealed yet; it is newer than `sealedSecret`. */
  readonly secret: string | null
  readonly sealedSecret: string | null
}

/** 256 random bits, with a prefix by which secret scanners recognise it. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** The columns for a sealed secret; the clear one becomes null. */
export function sealWebhookSecret(keyring: Keyring, secret: string, organizationId: bigint | null) {
  return { secret: null, sealedSecret: keyring.seal(secret, PURPOSE, ownerText(organizationId)) }
}

/** @throws SealError when the current keys cannot open it */
export function openWebhookSecret(
  keyring: Keyring,
  { organizationId, secret, sealedSecret }: StoredWebhookSecret,
): string {
  return secret ?? keyring.open(sealedSecret!, PURPOSE, ownerText(organizationId))
}

/**
 * Seals secrets that are in the clear or under an older key. A secret that no key opens stays as it is.
 * Tested by `features/webhooks/server/webhook-secrets.test.ts`.
 * @returns how many were sealed
 */
export async function sealOlderSecrets(tx: Transaction, keyring: Keyring): Promise<number> {
  const kept = await tx
    .selectFrom('webhooks')
    .select(['id', 'organizationId', 'secret', 'sealedSecret'])
    .where(eb =>
      eb.or([eb('secret', 'is not', null), sql<boolean>`not starts_with(sealed_secret, ${keyring.newestPrefix})`]),
    )
    .forUpdate()
    .execute()
  let sealed = 0
  for (const row of kept) {
    const secret = readable(keyring, row)
    if (secret === undefined) continue
    const values = sealWebhookSecret(keyring, secret, row.organizationId)
    await tx.updateTable('webhooks').set(values).where('id', '=', row.id).execute()
    sealed += 1
  }
  return sealed
}

function readable(keyring: Keyring, row: StoredWebhookSecret): string | undefined {
  try {
    return openWebhookSecret(keyring, row)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** Bound to the organisation, so that nobody with write access to the database can move a secret to another one. */
function ownerText(organizationId: bigint | null): string {
  return organizationId === null ? 'platform' : `organization ${organizationId}`
}
