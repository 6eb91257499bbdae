import { decide } from '@pc/domain/access/decide.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { makeTwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { seedPolicies } from './policy-store.ts'
import { listUsers, type UserFilter } from './user-store.ts'

const tested = await testDatabase({ maxConnections: 2 })
const { database } = tested
await seedPolicies(database)
const rows = await makeTwoOrganizations(database)
afterAll(() => tested.drop())

async function emails(role: Role, filter: UserFilter): Promise<string[]> {
  const { uid, email } = rows.users[role]
  const organizationId = rows.a.organizationId
  const scope = viewerScope(uid, [role], organizationId)
  const permit = decide({ uid, email, roles: [role], organizationId, scope }, 'read:list', 'iam:user.')
  if (!permit) throw new Error(`${role} may not list users`)
  const { total, nodes } = await listUsers(database, filter, 'EMAIL_ASC', { limit: 100, offset: 0 }, permit)
  expect(total).toBe(nodes.length)
  return nodes.map(user => user.email)
}

async function invite(email: string, hoursLeft: number, isAccepted = false): Promise<void> {
  await database.inScope(SYSTEM, tx =>
    sql`with made as (
        insert into users (email, organization_id) values (${email}, ${rows.b.organizationId}) returning uid)
      insert into invitations (uid, expires_at, accepted_at)
      select uid, now() + ${hoursLeft} * interval '1 hour', ${isAccepted ? new Date() : null}::timestamptz from made`.execute(
      tx,
    ),
  )
}

describe('users', () => {
  test('are found by a role', async () => {
    expect(await emails('iam:admin', { role: 'insight:publisher_editor' })).toContain(
      rows.users['insight:publisher_editor'].email,
    )
    expect(await emails('iam:admin', { role: 'coupon:editor' })).toEqual([rows.users['coupon:editor'].email])
  })

  test('are found by the state of their invitation: usable, over, never one that was accepted', async () => {
    await invite('open@example.jp', 1)
    await invite('over@example.jp', -1)
    await invite('accepted@example.jp', 1, true)
    expect(await emails('iam:admin', { invitation: 'open' })).toEqual(['open@example.jp'])
    expect(await emails('iam:admin', { invitation: 'expired' })).toEqual(['over@example.jp'])
  })

  test('of another organisation stay unseen, whatever is requested', async () => {
    expect(await emails('insight:publisher_admin', { invitation: 'open' })).toEqual([])
    expect(await emails('insight:publisher_admin', { organizationId: rows.b.organizationId })).toEqual([])
  })
})
