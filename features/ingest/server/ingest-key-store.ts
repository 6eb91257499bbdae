import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export const INGEST_SCOPE = 'ingest'

export interface IngestKey {
  readonly id: bigint
  readonly name: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

const COLUMNS = ['id', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'revokedAt'] as const
/** `last_used_at` is only shown to people, so it is not written with every request. */
const LAST_USED_PRECISION_MS = 60_000

/** Makes a key. Its secret is returned once and kept nowhere; the database has its SHA-256. */
export async function createIngestKey(
  tx: Transaction,
  name: string,
  createdAt: Date,
): Promise<{ readonly key: IngestKey; readonly secret: string }> {
  const secret = `pck_${randomBytes(32).toString('base64url')}`
  const key = await tx
    .insertInto('apiKeys')
    .values({ name, secretSha256: sha256(secret), scopes: [INGEST_SCOPE], createdAt })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { key, secret }
}

/** The key of a secret, unless it was revoked. */
export async function findIngestKey(tx: Transaction, secret: string, at: Date): Promise<IngestKey | undefined> {
  const given = sha256(secret)
  const found = await tx
    .selectFrom('apiKeys')
    .select([...COLUMNS, 'secretSha256'])
    .where('secretSha256', '=', given)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (!found || !timingSafeEqual(Buffer.from(found.secretSha256), Buffer.from(given))) return undefined
  if (!found.lastUsedAt || at.getTime() - found.lastUsedAt.getTime() > LAST_USED_PRECISION_MS) {
    await tx.updateTable('apiKeys').set({ lastUsedAt: at }).where('id', '=', found.id).execute()
  }
  return found
}

/** How many keys {@link findIngestKey} accepts, as a subquery. */
export const LIVE_INGEST_KEY_COUNT = sql<bigint>`(select count(*) from api_keys where revoked_at is null)`

export function listIngestKeys(tx: Transaction): Promise<IngestKey[]> {
  return tx.selectFrom('apiKeys').select(COLUMNS).orderBy('id').execute()
}

/** False when there is no such key or it was revoked before. */
export async function revokeIngestKey(tx: Transaction, id: bigint, revokedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('apiKeys')
    .set({ revokedAt })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
