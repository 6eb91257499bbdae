import { randomBytes } from 'node:crypto'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type Keyring, SealError } from '@pc/platform/secrets/keyring.ts'
import { sql } from 'kysely'

const PURPOSE = 'webhook-secret'

export interface KeptSecret {
  readonly organizationId: bigint | null
  /** Written by an earlier version, until it is sealed. It is newer than what is sealed beside it. */
  readonly secret: string | null
  readonly sealedSecret: string | null
}

/** 256 bits, with a name that tells what it is where it turns up. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** What is written for a secret, of which nothing in the clear is left. */
export function sealWebhookSecret(keyring: Keyring, secret: string, organizationId: bigint | null) {
  return { secret: null, sealedSecret: keyring.seal(secret, PURPOSE, ownerText(organizationId)) }
}

/** @throws SealError when it cannot be read with the keys of now */
export function openWebhookSecret(keyring: Keyring, { organizationId, secret, sealedSecret }: KeptSecret): string {
  return secret ?? keyring.open(sealedSecret!, PURPOSE, ownerText(organizationId))
}

/** Seals what is in the clear or under an older key. What no key opens stays as it is. @returns how many were sealed */
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

function readable(keyring: Keyring, row: KeptSecret): string | undefined {
  try {
    return openWebhookSecret(keyring, row)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** A person who writes to the database cannot give an organisation's secret to another one. */
function ownerText(organizationId: bigint | null): string {
  return organizationId === null ? 'platform' : `organization ${organizationId}`
}
