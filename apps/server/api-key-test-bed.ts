import { randomBytes } from 'node:crypto'
import { apiKeySecret } from '@pc/domain/api-key/api-key.ts'
import { hashOfSecret } from '@pc/features/api-keys/server/create-api-key.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { SystemUnderTest } from './system-under-test.ts'

const DAY_MS = 86_400_000

/** Past the screens: of the administrator of organisation A, with any kinds of data, end and maker. Gives its secret. */
export async function insertApiKey(
  { parts, rows }: SystemUnderTest,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const secret = apiKeySecret(randomBytes(32))
  await parts.database.inScope(SYSTEM, tx =>
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
