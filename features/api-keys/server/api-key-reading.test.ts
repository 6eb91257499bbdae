import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { API_KEY_BOUNDS, apiKeySecret } from '@pc/domain/api-key/api-key.ts'
import { ruleOf } from '@pc/platform/graphql/finish-graph.ts'
import { DAY_MS, type Listed, PUBLISHERS, REVOKE, startApiKeyFixture } from '@pc/testing/system/api-key-fixture.ts'
import { CANARY_B } from '@pc/testing/system/two-organizations.ts'
import { getIntrospectionQuery, isInputObjectType, isNonNullType } from 'graphql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeyAccess } from './api-key-access.ts'

/** What a key reads, from which addresses, how often, and when it stops working. */
const { system, tokens, ask, create, listOf, insertKey, inSystem } = await startApiKeyFixture()
const REPORT = JSON.stringify({ screen: 'dashboard', format: 'csv', condition: '', columns: [] })
afterAll(() => system.close())
beforeEach(() => inSystem(tx => tx.deleteFrom('publisherApiKeys').execute()))

describe('reading', () => {
  test('the own organisation, and no row, field or kind of data besides', async () => {
    const { secret } = await create()
    const names = '{ publishers(limit: 20, offset: 0) { total nodes { id name } } }'
    const read = await system.ask('insight', names, secret)
    expect(read.text).toBe((await system.ask('insight', names, tokens.get('insight:publisher_admin'))).text)
    expect((read.json.data as { publishers: Listed }).publishers.nodes).not.toEqual([])
    expect(read.text).not.toContain(CANARY_B)
    const withNotes = await system.ask('insight', PUBLISHERS, secret)
    expect(withNotes.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((withNotes.json.data as { publishers: Listed }).publishers.nodes[0]).toMatchObject({ notes: null })
    const publisher = (id: bigint) => [`query Q($id: ID!) { publisher(id: $id) { name } }`, { id: String(id) }] as const
    const foreign = await system.ask('insight', publisher(0n)[0], secret, publisher(system.rows.b.publisherIds[0]!)[1])
    const missing = await system.ask('insight', publisher(0n)[0], secret, publisher(999_999n)[1])
    expect(foreign.text).toBe(missing.text)
  })

  test('every root field of both APIs: a key of one kind has only that kind, and none changes anything', async () => {
    const { insightSchema, iamSchema } = system.dependencies
    const kinds = {
      reports: /^insight:(summary|article|video)_stats\.$/,
      payments: /^insight:(monthly_|agreement_snap|state)/,
    }
    let refused = 0
    for (const [scope, kind] of Object.entries(kinds)) {
      for (const [api, schema] of [['insight', insightSchema] as const, ['iam', iamSchema] as const]) {
        for (const type of [schema.getQueryType(), schema.getMutationType()]) {
          for (const field of Object.values(type?.getFields() ?? {})) {
            const rule = ruleOf(field)
            const isRead = rule && 'on' in rule && rule.allow.startsWith('read:')
            const isItsKind = isRead && (kind.test(rule.on) || /^insight:(agreement|publisher)\.$/.test(rule.on))
            if (api === 'insight' && type === schema.getQueryType() && isItsKind) continue
            const secret = await insertKey({ scopes: [scope] })
            const args = field.args.filter(each => isNonNullType(each.type)).map(each => `$${each.name}: ${each.type}`)
            const passed = field.args
              .filter(each => isNonNullType(each.type))
              .map(each => `${each.name}: $${each.name}`)
            const keyword = type === schema.getQueryType() ? 'query' : 'mutation'
            const list = (texts: string[]) => (texts.length > 0 ? `(${texts.join(', ')})` : '')
            const isObject =
              !isInputObjectType(field.type) &&
              'getFields' in (isNonNullType(field.type) ? field.type.ofType : field.type)
            const query = `${keyword} Q${list(args)} { ${field.name}${list(passed)} ${isObject ? '{ __typename }' : ''} }`
            const answer = await system.ask(api, query, secret, {})
            const expected = api === 'iam' ? 'UNAUTHENTICATED' : 'FORBIDDEN'
            expect([scope, field.name, answer.json.errors?.[0]?.extensions.code]).toEqual([scope, field.name, expected])
            refused += 1
          }
        }
      }
    }
    expect(refused).toBeGreaterThan(250)
  })

  test('the schema is there to ask for, and the limits of an operation hold', async () => {
    const { secret } = await create()
    const answer = await system.ask('insight', getIntrospectionQuery(), secret)
    expect(answer.json.errors).toBeUndefined()
    expect(answer.text).toContain('SummaryStatsList')
    const many = Array.from({ length: 20 }, (_each, at) => `a${at}: publishers(limit: 1, offset: 0) { total }`)
    expect(await ask(secret, `{ ${many.join(' ')} }`)).toEqual(['BAD_REQUEST'])
  })

  test('the questions of the manual are answered', async () => {
    const manual = await readFile(path.resolve(import.meta.dirname, '../../../docs/manual/api-keys.md'), 'utf8')
    const examples = [...manual.matchAll(/```graphql\n(.*?)```.*?```json\n(.*?)```/gs)]
    expect(examples).toHaveLength(2)
    const { secret } = await create()
    for (const [, query = '', variables = ''] of examples) {
      const answer = await system.ask('insight', query, secret, JSON.parse(variables))
      expect([query, answer.json.errors]).toEqual([query, undefined])
    }
  })

  test('what does not work has one answer, byte for byte, whatever the reason', async () => {
    const good = await insertKey()
    expect((await system.ask('insight', PUBLISHERS, good)).text).toContain('"total"')
    const { users, a, b } = system.rows
    const inserted = async (roleName: string | undefined, organizationId: bigint | null, enabled = true) => {
      const { uid } = await inSystem(tx =>
        tx
          .insertInto('users')
          .values({ email: `maker${Math.random()}@example.jp`, organizationId, enabled })
          .returning('uid')
          .executeTakeFirstOrThrow(),
      )
      if (roleName) await inSystem(tx => tx.insertInto('userRoles').values({ uid, roleName }).execute())
      return uid
    }
    const maker = async (...given: Parameters<typeof inserted>) => insertKey({ createdByUid: await inserted(...given) })
    const removed = await inserted('insight:publisher_admin', a.organizationId)
    const ofRemoved = await insertKey({ createdByUid: removed })
    expect((await system.ask('insight', PUBLISHERS, ofRemoved)).text).toContain('"total"')
    await inSystem(tx => tx.deleteFrom('users').where('uid', '=', removed).execute())
    const past = new Date(Date.now() - 60 * DAY_MS)
    const broken = {
      expired: await insertKey({ createdAt: past, expiresAt: new Date(past.getTime() + 30 * DAY_MS) }),
      revoked: await insertKey({ revokedAt: new Date() }),
      'never made': apiKeySecret(randomBytes(32)),
      'maker disabled': await maker('insight:publisher_admin', a.organizationId, false),
      'maker of another organisation': await maker('insight:publisher_admin', b.organizationId),
      'maker without the role': await maker('insight:publisher_editor', a.organizationId),
      'maker without any role': await maker(undefined, a.organizationId),
      'maker of staff': await insertKey({ createdByUid: users['insight:admin'].uid }),
      'maker removed': ofRemoved,
      'prefix only': 'pcr_',
      'another letter': `${good.slice(0, 20)}${good[20] === 'a' ? 'b' : 'a'}${good.slice(21)}`,
      'another case': `pcr_${good.slice(4).toLowerCase()}`,
      'a letter more': `${good}0`,
      'a letter less': good.slice(0, -1),
      'very long': `pcr_${'a'.repeat(8_000)}`,
      garbage: 'pcr_%00%0d%0a',
    }
    const signedOut = await system.ask('insight', PUBLISHERS)
    const refusedKey = await system.ask('insight', PUBLISHERS, 'pcr_')
    // The response says that a key was sent and does not work, but not why.
    expect(refusedKey.text).toContain('このAPIキーは使えません。')
    for (const answer of [signedOut, refusedKey])
      expect(answer.json.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED' })
    for (const [why, secret] of Object.entries(broken)) {
      const answer = await system.ask('insight', PUBLISHERS, secret)
      expect([why, answer.status, answer.text]).toEqual([why, refusedKey.status, refusedKey.text])
    }
    // API keys for deliveries are unknown here.
    const foreign = await system.ask('insight', PUBLISHERS, good.replace('pcr_', 'pck_'))
    expect(foreign.text).toBe(signedOut.text)
  })

  test('works from its addresses alone; from elsewhere the answer is that of every other reason, and the list says so', async () => {
    const addresses = ['203.0.113.0/24', ' 2001:DB8:1:2::/64 ', '203.0.113.0/24', '']
    const { secret } = await create('insight:publisher_admin', { addresses })
    const refusedKey = await system.ask('insight', PUBLISHERS, 'pcr_')
    const elsewhere = await system.ask('insight', PUBLISHERS, secret)
    expect([elsewhere.status, elsewhere.text]).toEqual([refusedKey.status, refusedKey.text])
    const fields = '{ apiKeys(limit: 1, offset: 0) { nodes { allowedAddresses requestCount refusedAt refusedFrom } } }'
    const { nodes } = (await ask('insight:publisher_admin', fields)) as Listed
    expect(nodes).toMatchObject([
      { allowedAddresses: ['203.0.113.0/24', '2001:db8:1:2::/64'], requestCount: 0, refusedFrom: '127.0.0.1' },
    ])
    const access = apiKeyAccess({
      database: system.dependencies.database,
      clock: system.dependencies.clock,
      onFault: error => expect.fail(String(error)),
    })
    const from = async (address: string) => (await access.viewerOf(`Bearer ${secret}`, address)) !== null
    expect(await from('203.0.113.255')).toBe(true)
    expect(await from('2001:db8:1:2::/64')).toBe(true)
    for (const address of ['203.0.112.255', '2001:db8:1:3::/64', '127.0.0.1', ''])
      expect(await from(address)).toBe(false)
    await access.flush() // otherwise a minute later, when the database is gone
    await expect(
      inSystem(tx => tx.updateTable('publisherApiKeys').set({ allowedAddresses: [] }).execute()),
    ).rejects.toThrow('stays as it was made')
    // This machine is among the allowed addresses, so the key works.
    const here = await create('insight:publisher_admin', { addresses: ['127.0.0.0/8'] })
    expect((await system.ask('insight', PUBLISHERS, here.secret)).text).toContain('"total"')
  })

  test('revoking, disabling and losing the role act on the next request', async () => {
    const { secret, apiKey } = await create()
    const { uid } = system.rows.users['insight:publisher_admin']
    const works = async () => (await system.ask('insight', PUBLISHERS, secret)).text.includes('"total"')
    const role = { uid, roleName: 'insight:publisher_admin' }
    expect(await works()).toBe(true)
    await inSystem(tx => tx.updateTable('users').set({ enabled: false }).where('uid', '=', uid).execute())
    expect(await works()).toBe(false)
    await inSystem(tx => tx.updateTable('users').set({ enabled: true }).where('uid', '=', uid).execute())
    expect(await works()).toBe(true)
    await inSystem(tx => tx.deleteFrom('userRoles').where('uid', '=', uid).execute())
    expect(await works()).toBe(false)
    expect((await listOf('insight:admin')).nodes[0]).toMatchObject({ state: 'stopped' })
    await inSystem(tx => tx.insertInto('userRoles').values(role).execute())
    expect(await works()).toBe(true)
    await ask('insight:publisher_admin', REVOKE, { id: apiKey.id })
    expect(await works()).toBe(false)
  })

  test('only in the header, only at the queries: not in the address, not for files, not for people', async () => {
    const { secret } = await create()
    const { insight, iam, web } = system.origins
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
    const body = JSON.stringify({ query: PUBLISHERS })
    const post = (address: string, given: object, sent = body) =>
      fetch(address, { method: 'POST', headers: { ...headers, ...given }, body: sent })
    const unauthenticated = async (answer: Response) =>
      ((await answer.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code
    const without = { authorization: '' }
    for (const name of ['access_token', 'api_key', 'apiKey', 'token', 'authorization'])
      expect(await unauthenticated(await post(`${insight}/query?${name}=${secret}`, without))).toBe('UNAUTHENTICATED')
    expect(await unauthenticated(await post(`${insight}/query`, { ...without, cookie: `api_key=${secret}` }))).toBe(
      'UNAUTHENTICATED',
    )
    expect(await unauthenticated(await post(`${insight}/query`, { ...without, 'x-api-key': secret }))).toBe(
      'UNAUTHENTICATED',
    )
    expect(await unauthenticated(await post(`${insight}/query`, { authorization: `Basic ${secret}` }))).toBe(
      'UNAUTHENTICATED',
    )
    expect(await unauthenticated(await post(`${iam}/query`, {}, JSON.stringify({ query: '{ viewer { uid } }' })))).toBe(
      'UNAUTHENTICATED',
    )
    expect((await post(`${insight}/exports/report`, {}, REPORT)).status).toBe(401)
    expect((await post(`${insight}/agreement-documents`, {}, '{"id":"1"}')).status).toBe(401)
    const batch = await post(`${web}/ingest/v1/summary-daily`, { 'x-batch-id': 'b' }, 'x')
    expect(batch.status).toBe(401)
    expect(system.logged.join('')).not.toContain(secret)
  })

  test('a page of another site still may not ask', async () => {
    const { secret } = await create()
    const answer = await fetch(`${system.origins.insight}/query`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const requested = await fetch(`${system.origins.insight}/query`, {
      method: 'POST',
      headers: {
        ...{ origin: 'https://elsewhere.example', 'content-type': 'application/json' },
        authorization: `Bearer ${secret}`,
      },
      body: JSON.stringify({ query: PUBLISHERS }),
    })
    expect(requested.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('so many requests and no more: 429 with Retry-After, for this key alone', async () => {
    const [busy, other] = [await insertKey(), await insertKey()]
    const send = (secret: string) =>
      fetch(`${system.origins.insight}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ query: '{ availableMedia { total } }' }),
      })
    const statuses: number[] = []
    let retryAfter: string | null = null
    for (let sent = 0; sent < 400 && retryAfter === null; sent += 1) {
      const answer = await send(busy)
      statuses.push(answer.status)
      retryAfter = answer.headers.get('retry-after')
    }
    expect(statuses.at(-1)).toBe(429)
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
    expect(statuses.slice(0, API_KEY_BOUNDS.burst)).toEqual(Array(API_KEY_BOUNDS.burst).fill(200))
    expect((await send(other)).status).toBe(200)
    // Another process of the same installation continues the count.
    const { database, clock } = system.dependencies
    const second = apiKeyAccess({ database, clock, onFault: error => expect.fail(String(error)) })
    const burst = Promise.all(Array.from({ length: 20 }, () => second.viewerOf(`Bearer ${busy}`, '127.0.0.1')))
    await expect(burst).rejects.toMatchObject({ status: 429 })
  })
})
