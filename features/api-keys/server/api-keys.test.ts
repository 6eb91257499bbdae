import { ROLES } from '@pc/domain/access/role.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { type CreatedKey, DAY_MS, PUBLISHERS, REVOKE, startApiKeyFixture } from '@pc/testing/system/api-key-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { announceToOrganization } from '../../announcements/server/announce-to-organization.ts'
import { purgeExpired } from '../../retention/server/purge-expired.ts'
import { apiKeyAccess } from './api-key-access.ts'
import { notifyOfExpiringKeys } from './api-key-job.ts'

/** How a key is created, announced before it expires, used up and deleted. */
const { system, ask, askForKey, create, listOf, insertKey, inSystem } = await startApiKeyFixture()
afterAll(() => system.close())
beforeEach(() => inSystem(tx => tx.deleteFrom('publisherApiKeys').execute()))

describe('making', () => {
  test('is for administrators of publishers, of their own organisation; staff sees and revokes', async () => {
    for (const who of ['insight:publisher_admin', 'ofB'] as const) {
      const { secret, apiKey } = await create(who)
      expect(secret).toMatch(/^pcr_[0-9A-Za-z]{49}$/)
      expect(secret.endsWith(apiKey.secretEnd)).toBe(true)
      expect((await listOf(who)).nodes).toMatchObject([{ id: apiKey.id, name: '会計', state: 'working' }])
    }
    for (const who of ROLES.filter(role => !['admin', 'insight:publisher_admin'].includes(role)))
      expect([who, await askForKey(who)]).toEqual([who, ['FORBIDDEN']])
    expect(await askForKey('admin')).toEqual(['api-key/only-own-organization'])
    for (const who of ['insight:editor', 'insight:viewer', 'insight:publisher_editor'] as const)
      expect(await ask(who, '{ apiKeys(limit: 1, offset: 0) { total } }')).toEqual(['FORBIDDEN'])
    expect((await listOf('insight:admin')).total).toBe(2)
    const [ofB] = (await listOf('ofB')).nodes
    expect(await ask('insight:publisher_admin', REVOKE, { id: ofB?.id })).toEqual(['record/not-found'])
    expect(await ask('insight:admin', REVOKE, { id: ofB?.id })).toEqual({ state: 'revoked' })
    expect(await ask('ofB', REVOKE, { id: ofB?.id })).toEqual({ state: 'revoked' })
  })

  test('notifies every administrator of the organisation, and nobody else', async () => {
    await inSystem(tx => sql`delete from pgboss.job where name = 'mail'`.execute(tx))
    await inSystem(tx =>
      tx
        .updateTable('users')
        .set({ emailVerifiedAt: new Date() })
        .where(
          'email',
          'in',
          Object.values(system.rows.users).map(({ email }) => email),
        )
        .execute(),
    )
    const { secret } = await create()
    const { rows } = await inSystem(tx =>
      sql<{ to: string; text: string }>`select data ->> 'to' as to, data::text as text from pgboss.job
        where name = 'mail'`.execute(tx),
    )
    expect(rows.map(({ to }) => to)).toEqual([system.rows.users['insight:publisher_admin'].email])
    expect(rows[0]?.text).toContain('会計')
    expect(rows[0]?.text).not.toContain(secret)
  })

  test('notifies its maker and every administrator that it was revoked, and by whose side', async () => {
    const { uid } = system.rows.users['insight:publisher_admin']
    const { email } = system.rows.users['insight:publisher_admin']
    await inSystem(tx => tx.updateTable('users').set({ emailVerifiedAt: new Date() }).where('uid', '=', uid).execute())
    const emails = async () => {
      const { rows } = await inSystem(tx =>
        sql<{ to: string; text: string }>`delete from pgboss.job where name = 'mail'
          returning data ->> 'to' as to, data::text as text`.execute(tx),
      )
      return rows.map(({ to, text }) => [to, /(運営|組織の管理者)が、次のAPIキーを失効/.exec(text)?.[1]])
    }
    const own = await create()
    await emails()
    await ask('insight:publisher_admin', REVOKE, { id: own.apiKey.id })
    expect(await emails()).toEqual([[email, '組織の管理者']])
    // A second time changes and tells nothing.
    await ask('insight:publisher_admin', REVOKE, { id: own.apiKey.id })
    expect(await emails()).toEqual([])
    // Who has made it hears of it also when they keep no keys any more.
    const other = await create()
    await emails()
    await inSystem(tx => tx.deleteFrom('userRoles').where('uid', '=', uid).execute())
    await ask('insight:admin', REVOKE, { id: other.apiKey.id })
    expect(await emails()).toEqual([[email, '運営']])
    const role = { uid, roleName: 'insight:publisher_admin' }
    await inSystem(tx => tx.insertInto('userRoles').values(role).execute())
  })

  test('what is missing, wrong or too much is refused; five at a time, also when they come together', async () => {
    expect(await askForKey('ofB', { name: ' \n ' })).toEqual(['api-key/name-missing'])
    expect(await askForKey('ofB', { scopes: [] })).toEqual(['api-key/scopes-missing'])
    expect(await askForKey('ofB', { scopes: ['everything'] })).toEqual(['BAD_REQUEST'])
    for (const [addresses, code] of [
      [['社内'], 'unreadable'],
      [['203.0.113.7/24'], 'not-its-beginning'],
      [['0.0.0.0/0'], 'too-wide'],
      [['2001:db8::1'], 'too-narrow'],
    ] as const)
      expect(await askForKey('ofB', { addresses })).toEqual([`api-key/address-${code}`])
    const many = Array.from({ length: 21 }, (_one, at) => `203.0.113.${at}`)
    expect(await askForKey('ofB', { addresses: many })).toEqual(['api-key/addresses-too-many'])
    for (const days of [0, -1, 366, 3650]) expect(await askForKey('ofB', { days })).toEqual(['api-key/days-unknown'])
    const made = await Promise.all(Array.from({ length: 8 }, () => askForKey('ofB')))
    expect(made.filter(one => 'secret' in (one as object))).toHaveLength(5)
    expect(made.filter(one => !('secret' in (one as object)))).toEqual(Array(3).fill(['api-key/too-many']))
    const [first] = (await listOf('ofB')).nodes
    await ask('ofB', REVOKE, { id: first?.id })
    expect((await create('ofB')).secret).toMatch(/^pcr_/)
  })

  test('the secret is answered once, and is kept nowhere: a repetition says that there is none', async () => {
    const key = `k${Date.now()}`
    const first = (await askForKey('insight:publisher_admin', {}, key)) as CreatedKey
    const again = (await askForKey('insight:publisher_admin', {}, key)) as CreatedKey
    expect(again).toEqual({ ...first, secret: null })
    expect((await listOf()).total).toBe(1)
    await ask(first.secret, PUBLISHERS)
    await ask(first.secret, '{ bankAccounts(limit: 1, offset: 0) { total } }')
    await ask('insight:publisher_admin', REVOKE, { id: first.apiKey.id })
    // Every table of the database, the log and the mails that wait: none has the secret or the part after its prefix.
    const { rows: tables } = await inSystem(tx =>
      sql<{ name: string }>`select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`.execute(
        tx,
      ),
    )
    expect(tables.length).toBeGreaterThan(80)
    const part = `%${first.secret.slice(4, 30)}%`
    for (const { name } of tables) {
      const { rows } = await inSystem(tx =>
        sql`select 1 from ${sql.raw(name)} t where t::text like ${part}`.execute(tx),
      )
      expect([name, rows.length]).toEqual([name, 0])
    }
    expect(system.logged.join('')).toContain('access-refused')
    expect(system.logged.join('')).not.toContain(first.secret.slice(4, 30))
    const { rows: audit } = await inSystem(tx =>
      sql<{ action: string; after: string }>`select action, after::text from audit_log
        where resource_name = 'insight:api_key.' and row_id = ${first.apiKey.id} order by seq`.execute(tx),
    )
    expect(audit.map(({ action }) => action)).toEqual(['create', 'revoke-key'])
    expect(audit[0]?.after).toContain(first.apiKey.secretEnd)
  })
})

describe('the life of a key', () => {
  test('its uses are counted, with the time and the network of the last one, and make no rows in the audit log', async () => {
    const countAudit = () =>
      inSystem(async tx => (await sql<{ n: bigint }>`select count(*) as n from audit_log`.execute(tx)).rows[0]?.n)
    const clock = fixedClock('2026-11-01T00:00:00Z')
    const database = system.dependencies.database
    const access = apiKeyAccess({ database, clock, onFault: error => expect.fail(String(error)) })
    const created = { createdAt: new Date('2026-10-01T00:00:00Z'), expiresAt: new Date('2026-12-01T00:00:00Z') }
    const secret = await insertKey(created)
    const audited = await countAudit()
    const use = (address: string) => access.viewerOf(`Bearer ${secret}`, address)
    await use('192.0.2.1')
    expect((await listOf()).nodes).toMatchObject([{ requestCount: 1, lastUsedFrom: '192.0.2.1' }])
    clock.set('2026-11-01T00:00:30Z')
    await use('2001:db8:1:2::/64')
    await use('2001:db8:1:2::/64')
    await access.flush()
    expect((await listOf()).nodes).toMatchObject([
      { requestCount: 3, lastUsedFrom: '2001:db8:1:2::/64', lastUsedAt: '2026-11-01T00:00:30.000Z' },
    ])
    expect(await countAudit()).toBe(audited)
    // To the millisecond.
    clock.set('2026-11-30T23:59:59.999Z')
    expect(await use('192.0.2.1')).toMatchObject({ roles: ['insight:publisher_admin'] })
    clock.set('2026-12-01T00:00:00.000Z')
    expect(await use('192.0.2.1')).toBeNull()
  })

  test('its end is announced once, two weeks before, by mail and in the bell', async () => {
    const start = Date.now()
    const clock = fixedClock(new Date(start).toISOString())
    await insertKey({ name: '終わるキー', createdAt: new Date(start), expiresAt: new Date(start + 30 * DAY_MS) })
    await insertKey({ name: '失効したキー', revokedAt: new Date(start), expiresAt: new Date(start + DAY_MS) })
    const { database, jobs } = system.dependencies
    const parts = { database, jobs, clock, webOrigin: 'https://pc.example', announce: announceToOrganization }
    await inSystem(tx => sql`delete from pgboss.job where name = 'mail'`.execute(tx))
    expect(await notifyOfExpiringKeys(parts)).toBe(0)
    clock.set(new Date(start + 16 * DAY_MS).toISOString())
    expect(await notifyOfExpiringKeys(parts)).toBe(1)
    expect(await notifyOfExpiringKeys(parts)).toBe(0)
    const mails = await inSystem(tx =>
      sql<{ subject: string }>`select data ->> 'subject' as subject from pgboss.job where name = 'mail'`.execute(tx),
    )
    expect(mails.rows.map(({ subject }) => subject)).toEqual([expect.stringContaining('APIキー「終わるキー」の期限は')])
    const bells = await inSystem(tx =>
      tx.selectFrom('announcements').select(['title', 'level']).where('title', 'like', '%終わるキー%').execute(),
    )
    expect(bells).toMatchObject([{ level: 'info' }])
  })

  test('what it is stays as it was made, for every role of the database', async () => {
    await insertKey()
    const change = (set: string) => inSystem(tx => sql`update publisher_api_keys set ${sql.raw(set)}`.execute(tx))
    for (const set of [
      "expires_at = expires_at + interval '1 day'",
      "scopes = '{reports}'",
      "secret_sha256 = sha256('x')",
      `organization_id = ${system.rows.b.organizationId}`,
      `created_by_uid = '${system.rows.users.ofB.uid}'`,
    ])
      await expect(change(set), set).rejects.toThrow('stays as it was made')
    await change('revoked_at = now()')
    await expect(change('revoked_at = null')).rejects.toThrow('stays as it was made')
    await expect(insertKey({ createdAt: new Date(), expiresAt: new Date(Date.now() + 366 * DAY_MS) })).rejects.toThrow(
      /check/,
    )
  })

  test('thirteen months after its end nothing of it is left but the audit log', async () => {
    const start = Date.now()
    const clock = fixedClock(new Date(start).toISOString())
    await insertKey({ name: 'ended', createdAt: new Date(start), expiresAt: new Date(start + 30 * DAY_MS) })
    await insertKey({ name: 'revoked', revokedAt: new Date(start), expiresAt: new Date(start + 365 * DAY_MS) })
    const names = async () =>
      (await inSystem(tx => tx.selectFrom('publisherApiKeys').select('name').execute())).map(({ name }) => name).sort()
    clock.set(new Date(start + 390 * DAY_MS).toISOString())
    await purgeExpired(system.dependencies.database, clock)
    expect(await names()).toEqual(['ended', 'revoked'])
    clock.set(new Date(start + 400 * DAY_MS).toISOString())
    await purgeExpired(system.dependencies.database, clock)
    expect(await names()).toEqual(['ended'])
    clock.set(new Date(start + 430 * DAY_MS).toISOString())
    await purgeExpired(system.dependencies.database, clock)
    expect(await names()).toEqual([])
  })
})
