import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { IngestContext } from './ingest-context.ts'
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from './ingest-key-store.ts'

/** A network's ingest key as the operator's commands print it; times in ISO 8601. */
export interface KeyAnswer {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/**
 * Creates a network's key. The name is only a note for people, so it is cut at 100 characters instead of refused.
 * Tested by `features/ingest/server/ingest-endpoint.test.ts`.
 */
export async function createKey(context: IngestContext, name: string): Promise<{ key: KeyAnswer; secret: string }> {
  const given = name.trim().slice(0, 100) || '名称未設定'
  const made = await context.database.inScope(SYSTEM, tx => createApiKey(tx, given, new Date(context.clock.now())))
  return { key: keyAnswer(made.key), secret: made.secret }
}

export async function listKeys(context: IngestContext): Promise<KeyAnswer[]> {
  return (await context.database.inScope(SYSTEM, listApiKeys)).map(keyAnswer)
}

/** False when there is no such key in use. */
export async function revokeKey(context: IngestContext, id: string): Promise<boolean> {
  if (!/^\d{1,18}$/.test(id)) return false
  return context.database.inScope(SYSTEM, tx => revokeApiKey(tx, BigInt(id), new Date(context.clock.now())))
}

function keyAnswer({ id, name, createdAt, lastUsedAt, revokedAt }: ApiKey): KeyAnswer {
  return {
    id: String(id),
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}
