import { randomBytes } from 'node:crypto'
import { ROLES } from '@pc/domain/access/role.ts'
import { apiKeySecret } from '@pc/domain/api-key/api-key.ts'
import { hashOfSecret } from '@pc/features/api-keys/server/create-api-key.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

export const DAY_MS = 86_400_000

/**
 * Inserts an API key of organisation A's administrator directly, with any scopes, expiry and creator. Returns its
 * secret.
 */
export async function insertApiKey(
  { dependencies, rows }: SystemUnderTest,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const secret = apiKeySecret(randomBytes(32))
  await dependencies.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('publisherApiKeys')
      .values({
        ...{ organizationId: rows.a.organizationId, name: 'k', scopes: ['reports', 'payments'] },
        ...{ secretSha256: hashOfSecret(secret), secretEnd: secret.slice(-4) },
        ...{ createdByUid: rows.users['insight:publisher_admin'].uid, createdAt: new Date() },
        expiresAt: new Date(Date.now() + 30 * DAY_MS),
        ...more,
      })
      .execute(),
  )
  return secret
}

const CREATE = `mutation M($input: ApiKeyInput!, $idempotencyKey: String) {
  createApiKey(input: $input, idempotencyKey: $idempotencyKey) { secret apiKey { id state secretEnd createdByEmail } } }`
const LIST = `{ apiKeys(limit: 20, offset: 0) { total nodes {
  id organizationName name scopes state secretEnd requestCount lastUsedAt lastUsedFrom revokedAt } } }`
export const REVOKE = 'mutation M($id: ID!) { revokeApiKey(id: $id) { state } }'
export const PUBLISHERS = '{ publishers(limit: 20, offset: 0) { total nodes { id name notes } } }'

export interface CreatedKey {
  readonly secret: string
  readonly apiKey: { readonly id: string; readonly secretEnd: string }
}
export interface Listed {
  readonly total: number
  readonly nodes: readonly Readonly<Record<string, string | number | null>>[]
}

/** A running system with people who create, list and use keys. */
export async function startApiKeyFixture() {
  const system = await startSystemUnderTest()
  const tokens = new Map<string, string>()
  for (const name of [...ROLES, 'ofB'] as const) tokens.set(name, await system.tokenOf(system.rows.users[name].email))

  /**
   * @param who a role, or the secret of a key
   * @returns the first root field, or the codes of the refusals
   */
  async function ask(who: string, query: string, variables: object = {}) {
    const { json } = await system.ask('insight', query, tokens.get(who) ?? who, variables)
    const codes = json.errors?.flatMap(({ extensions }) =>
      extensions.refusals ? (extensions.refusals as { code: string }[]).map(one => one.code) : [extensions.code],
    )
    return (codes ?? Object.values((json.data ?? {}) as object)[0]) as never
  }
  const askForKey = (who: string, more: object = {}, idempotencyKey?: string): Promise<unknown> =>
    ask(who, CREATE, {
      input: { name: '会計', scopes: ['reports', 'payments'], days: 90, ...more },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
  return {
    system,
    tokens,
    ask,
    askForKey,
    create: async (who = 'insight:publisher_admin', more: object = {}) => (await askForKey(who, more)) as CreatedKey,
    listOf: async (who = 'insight:publisher_admin') => (await ask(who, LIST)) as Listed,
    insertKey: (more: Readonly<Record<string, unknown>> = {}) => insertApiKey(system, more),
    inSystem: <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
      system.dependencies.database.inScope(SYSTEM, work),
  }
}
