import { randomBytes } from 'node:crypto'
import type { Transaction } from '@pc/platform/postgres/database.ts'

const DAY_MS = 86_400_000

/** Keys of the first publisher's administrator. They can only be looked at: nobody has their secrets. */
export async function insertApiKeys(tx: Transaction, nowMs: number): Promise<void> {
  const keeper = await tx
    .selectFrom('users as u')
    .innerJoin('userRoles as r', 'r.uid', 'u.uid')
    .select(['u.uid', 'u.organizationId'])
    .where('r.roleName', '=', 'insight:publisher_admin')
    .where('u.organizationId', 'is not', null)
    .orderBy('u.email')
    .executeTakeFirst()
  if (!keeper || keeper.organizationId === null) return
  const { uid: createdByUid, organizationId } = keeper
  const at = (days: number) => new Date(nowMs + days * DAY_MS)
  const key = (name: string, secretEnd: string, scopes: readonly string[], madeDaysAgo: number, days: number) => ({
    ...{ organizationId, createdByUid, name, scopes: [...scopes], secretSha256: randomBytes(32), secretEnd },
    ...{ createdAt: at(-madeDaysAgo), expiresAt: at(days - madeDaysAgo) },
  })
  const used = { lastUsedFrom: '192.0.2.10', endNoticedAt: null, revokedAt: null }
  await tx
    .insertInto('publisherApiKeys')
    .values([
      {
        ...key('会計システム', 'k3Zp', ['payments'], 40, 365),
        ...used,
        allowedAddresses: ['192.0.2.0/28'],
        requestCount: 412n,
        lastUsedAt: at(-1),
      },
      // Its notice counts as sent, so that the demonstration sends no email.
      {
        ...key('社内ダッシュボード', 'Tq81', ['reports', 'payments'], 80, 90),
        ...{ ...used, endNoticedAt: at(-4), requestCount: 18_920n, lastUsedAt: at(-0.1) },
      },
      {
        ...key('試験用', '0hVw', ['reports'], 60, 90),
        ...used,
        requestCount: 7n,
        lastUsedAt: at(-59),
        revokedAt: at(-58),
      },
    ])
    .execute()
}
