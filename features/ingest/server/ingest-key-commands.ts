import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { IngestContext } from './ingest-context.ts'
import { createIngestKey, type IngestKey, listIngestKeys, revokeIngestKey } from './ingest-key-store.ts'

/** A network's ingest key as the operator's commands print it; times in ISO 8601. */
export interface KeyAnswer {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/**
 * For the operator's commands; a key of a publisher is `features/api-keys`. The name is a note that only operators read:
 * one that is too long is cut, a missing one filled in, and no delivery waits for another try.
 * Tested by `features/ingest/server/ingest-endpoint.test.ts`.
 */
export async function createKey(context: IngestContext, name: string): Promise<{ key: KeyAnswer; secret: string }> {
  const given = name.trim().slice(0, 100) || '名称未設定'
  const made = await context.database.inScope(SYSTEM, tx => createIngestKey(tx, given, new Date(context.clock.now())))
  return { key: keyAnswer(made.key), secret: made.secret }
}

export async function listKeys(context: IngestContext): Promise<KeyAnswer[]> {
  return (await context.database.inScope(SYSTEM, listIngestKeys)).map(keyAnswer)
}

/** False when there is no such key in use. */
export async function revokeKey(context: IngestContext, id: string): Promise<boolean> {
  // Eighteen digits always fit PostgreSQL's bigint.
  if (!/^\d{1,18}$/.test(id)) return false
  return context.database.inScope(SYSTEM, tx => revokeIngestKey(tx, BigInt(id), new Date(context.clock.now())))
}

function keyAnswer({ id, name, createdAt, lastUsedAt, revokedAt }: IngestKey): KeyAnswer {
  return {
    id: String(id),
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}
