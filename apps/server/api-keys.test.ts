import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ROLES } from '@pc/domain/access/role.ts'
import { API_KEY_BOUNDS, apiKeySecret } from '@pc/domain/api-key/api-key.ts'
import { announceToOrganization } from '@pc/features/announcements/server/announce-to-organization.ts'
import { apiKeyAccess } from '@pc/features/api-keys/server/api-key-access.ts'
import { tellOfEndingKeys } from '@pc/features/api-keys/server/api-key-job.ts'
import { deleteWhatIsOver } from '@pc/features/retention/server/delete-what-is-over.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { ruleOf } from '@pc/platform/graphql/finish-graph.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { CANARY_B } from '@pc/testing/two-organizations.ts'
import { getIntrospectionQuery, isInputObjectType, isNonNullType } from 'graphql'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertApiKey } from './api-key-test-bed.ts'
import { type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

let system: SystemUnderTest
const tokens = new Map<string, string>()
type Person = keyof SystemUnderTest['rows']['users']
const DAY_MS = 86_400_000

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const name of [...ROLES, 'ofB'] as const) tokens.set(name, await system.tokenOf(system.rows.users[name].email))
}, 60_000)
afterAll(() => system?.close())
const inSystem = <T>(work: Parameters<typeof system.parts.database.inScope<T>>[1]) =>
  system.parts.database.inScope(SYSTEM, work)
beforeEach(() => inSystem(tx => tx.deleteFrom('publisherApiKeys').execute()))

async function ask(who: string, query: string, variables: object = {}) {
  const { json } = await system.ask('insight', query, tokens.get(who) ?? who, variables)
  const codes = json.errors?.flatMap(({ extensions }) =>
    extensions.refusals ? (extensions.refusals as { code: string }[]).map(one => one.code) : [extensions.code],
  )
  return (codes ?? Object.values((json.data ?? {}) as object)[0]) as never
}
const REPORT = JSON.stringify({ screen: 'dashboard', format: 'csv', condition: '', columns: [] })
const CREATE = `mutation M($input: ApiKeyInput!, $idempotencyKey: String) {
  createApiKey(input: $input, idempotencyKey: $idempotencyKey) { secret apiKey { id state secretEnd createdByEmail } } }`
const LIST = `{ apiKeys(limit: 20, offset: 0) { total nodes {
  id organizationName name scopes state secretEnd requestCount lastUsedAt lastUsedFrom revokedAt } } }`
const REVOKE = 'mutation M($id: ID!) { revokeApiKey(id: $id) { state } }'
const PUBLISHERS = '{ publishers(limit: 20, offset: 0) { total nodes { id name notes } } }'
const wish = (more: object = {}) => ({ input: { name: '会計', scopes: ['reports', 'payments'], days: 90, ...more } })
interface Created {
  readonly secret: string
  readonly apiKey: { readonly id: string; readonly secretEnd: string }
}
interface Listed {
  readonly total: number
  readonly nodes: readonly Readonly<Record<string, string | number | null>>[]
}
const create = async (who: Person = 'insight:publisher_admin', more: object = {}) =>
  (await ask(who, CREATE, wish(more))) as Created
const listOf = async (who: Person = 'insight:publisher_admin') => (await ask(who, LIST)) as Listed

const insertKey = (more: Readonly<Record<string, unknown>> = {}) => insertApiKey(system, more)

describe('making', () => {
  test('is for administrators of publishers, of their own organisation; staff sees and revokes', async () => {
    for (const who of ['insight:publisher_admin', 'ofB'] as const) {
      const { secret, apiKey } = await create(who)
      expect(secret).toMatch(/^pcr_[0-9A-Za-z]{49}$/)
      expect(secret.endsWith(apiKey.secretEnd)).toBe(true)
      expect((await listOf(who)).nodes).toMatchObject([{ id: apiKey.id, name: '会計', state: 'working' }])
    }
    for (const who of ROLES.filter(role => !['admin', 'insight:publisher_admin'].includes(role)))
      expect([who, await ask(who, CREATE, wish())]).toEqual([who, ['FORBIDDEN']])
    expect(await ask('admin', CREATE, wish())).toEqual(['api-key/only-own-organization'])
    for (const who of ['insight:editor', 'insight:viewer', 'insight:publisher_editor'] as const)
      expect(await ask(who, LIST)).toEqual(['FORBIDDEN'])
    expect((await listOf('insight:admin')).total).toBe(2)
    const [ofB] = (await listOf('ofB')).nodes
    expect(await ask('insight:publisher_admin', REVOKE, { id: ofB?.id })).toEqual(['record/not-found'])
    expect(await ask('insight:admin', REVOKE, { id: ofB?.id })).toEqual({ state: 'revoked' })
    expect(await ask('ofB', REVOKE, { id: ofB?.id })).toEqual({ state: 'revoked' })
  })

  test('tells every administrator of the organisation, and nobody else', async () => {
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

  test('tells its maker and every administrator that it was revoked, and by whose side', async () => {
    const { uid } = system.rows.users['insight:publisher_admin']
    const { email } = system.rows.users['insight:publisher_admin']
    await inSystem(tx => tx.updateTable('users').set({ emailVerifiedAt: new Date() }).where('uid', '=', uid).execute())
    const letters = async () => {
      const { rows } = await inSystem(tx =>
        sql<{ to: string; text: string }>`delete from pgboss.job where name = 'mail'
          returning data ->> 'to' as to, data::text as text`.execute(tx),
      )
      return rows.map(({ to, text }) => [to, /(運営|組織の管理者)が、次のAPIキーを失効/.exec(text)?.[1]])
    }
    const own = await create()
    await letters()
    await ask('insight:publisher_admin', REVOKE, { id: own.apiKey.id })
    expect(await letters()).toEqual([[email, '組織の管理者']])
    // A second time changes and tells nothing.
    await ask('insight:publisher_admin', REVOKE, { id: own.apiKey.id })
    expect(await letters()).toEqual([])
    // Who has made it hears of it also when they keep no keys any more.
    const other = await create()
    await letters()
    await inSystem(tx => tx.deleteFrom('userRoles').where('uid', '=', uid).execute())
    await ask('insight:admin', REVOKE, { id: other.apiKey.id })
    expect(await letters()).toEqual([[email, '運営']])
    const role = { uid, roleName: 'insight:publisher_admin' }
    await inSystem(tx => tx.insertInto('userRoles').values(role).execute())
  })

  test('what is missing, wrong or too much is refused; five at a time, also when they come together', async () => {
    expect(await ask('ofB', CREATE, wish({ name: ' \n ' }))).toEqual(['api-key/name-missing'])
    expect(await ask('ofB', CREATE, wish({ scopes: [] }))).toEqual(['api-key/scopes-missing'])
    expect(await ask('ofB', CREATE, wish({ scopes: ['everything'] }))).toEqual(['BAD_REQUEST'])
    for (const [addresses, code] of [
      [['社内'], 'unreadable'],
      [['203.0.113.7/24'], 'not-its-beginning'],
      [['0.0.0.0/0'], 'too-wide'],
      [['2001:db8::1'], 'too-narrow'],
    ] as const)
      expect(await ask('ofB', CREATE, wish({ addresses }))).toEqual([`api-key/address-${code}`])
    const many = Array.from({ length: 21 }, (_one, at) => `203.0.113.${at}`)
    expect(await ask('ofB', CREATE, wish({ addresses: many }))).toEqual(['api-key/addresses-too-many'])
    for (const days of [0, -1, 366, 3650])
      expect(await ask('ofB', CREATE, wish({ days }))).toEqual(['api-key/days-unknown'])
    const made = await Promise.all(Array.from({ length: 8 }, () => ask('ofB', CREATE, wish())))
    expect(made.filter(one => 'secret' in (one as object))).toHaveLength(5)
    expect(made.filter(one => !('secret' in (one as object)))).toEqual(Array(3).fill(['api-key/too-many']))
    const [first] = (await listOf('ofB')).nodes
    await ask('ofB', REVOKE, { id: first?.id })
    expect((await create('ofB')).secret).toMatch(/^pcr_/)
  })

  test('the secret is answered once, and is kept nowhere: a repetition says that there is none', async () => {
    const variables = { ...wish(), idempotencyKey: `k${Date.now()}` }
    const first = (await ask('insight:publisher_admin', CREATE, variables)) as Created
    const again = (await ask('insight:publisher_admin', CREATE, variables)) as Created
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
    const { insightSchema, iamSchema } = system.parts
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
  }, 120_000)

  test('the schema is there to ask for, and the limits of an operation hold', async () => {
    const { secret } = await create()
    const answer = await system.ask('insight', getIntrospectionQuery(), secret)
    expect(answer.json.errors).toBeUndefined()
    expect(answer.text).toContain('SummaryStatsList')
    const many = Array.from({ length: 20 }, (_each, at) => `a${at}: publishers(limit: 1, offset: 0) { total }`)
    expect(await ask(secret, `{ ${many.join(' ')} }`)).toEqual(['BAD_REQUEST'])
  })

  test('the questions of the manual are answered', async () => {
    const manual = await readFile(path.resolve(import.meta.dirname, '../../docs/manual/api-keys.md'), 'utf8')
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
      'another prefix': good.replace('pcr_', 'pck_'),
      'another letter': `${good.slice(0, 20)}${good[20] === 'a' ? 'b' : 'a'}${good.slice(21)}`,
      'another case': `pcr_${good.slice(4).toLowerCase()}`,
      'a letter more': `${good}0`,
      'a letter less': good.slice(0, -1),
      'very long': `pcr_${'a'.repeat(8_000)}`,
      garbage: 'pcr_%00%0d%0a',
    }
    const signedOut = await system.ask('insight', PUBLISHERS)
    expect(signedOut.json.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED')
    for (const [why, secret] of Object.entries(broken)) {
      const answer = await system.ask('insight', PUBLISHERS, secret)
      expect([why, answer.status, answer.text]).toEqual([why, signedOut.status, signedOut.text])
    }
  })

  test('works from its addresses alone; from elsewhere the answer is that of every other reason, and the list says so', async () => {
    const addresses = ['203.0.113.0/24', ' 2001:DB8:1:2::/64 ', '203.0.113.0/24', '']
    const { secret } = await create('insight:publisher_admin', { addresses })
    const signedOut = await system.ask('insight', PUBLISHERS)
    const elsewhere = await system.ask('insight', PUBLISHERS, secret)
    expect([elsewhere.status, elsewhere.text]).toEqual([signedOut.status, signedOut.text])
    const fields = '{ apiKeys(limit: 1, offset: 0) { nodes { allowedAddresses requestCount refusedAt refusedFrom } } }'
    const { nodes } = (await ask('insight:publisher_admin', fields)) as Listed
    expect(nodes).toMatchObject([
      { allowedAddresses: ['203.0.113.0/24', '2001:db8:1:2::/64'], requestCount: 0, refusedFrom: '127.0.0.1' },
    ])
    const access = apiKeyAccess({
      ...{ database: system.parts.database, clock: system.parts.clock },
      onFault: error => expect.fail(String(error)),
    })
    const from = async (address: string) => (await access.viewerOf(`Bearer ${secret}`, address)) !== null
    expect(await from('203.0.113.255')).toBe(true)
    expect(await from('2001:db8:1:2::/64')).toBe(true)
    for (const address of ['203.0.112.255', '2001:db8:1:3::/64', '127.0.0.1', ''])
      expect(await from(address)).toBe(false)
    await access.flush() // else a minute later, when the database is gone
    await expect(
      inSystem(tx => tx.updateTable('publisherApiKeys').set({ allowedAddresses: [] }).execute()),
    ).rejects.toThrow('stays as it was made')
    // Where this machine is among them, as ever.
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
    const asked = await fetch(`${system.origins.insight}/query`, {
      method: 'POST',
      headers: {
        ...{ origin: 'https://elsewhere.example', 'content-type': 'application/json' },
        authorization: `Bearer ${secret}`,
      },
      body: JSON.stringify({ query: PUBLISHERS }),
    })
    expect(asked.headers.get('access-control-allow-origin')).toBeNull()
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
    // Another process of the same installation counts on.
    const { database, clock } = system.parts
    const second = apiKeyAccess({ database, clock, onFault: error => expect.fail(String(error)) })
    const rush = Promise.all(Array.from({ length: 20 }, () => second.viewerOf(`Bearer ${busy}`, '127.0.0.1')))
    await expect(rush).rejects.toMatchObject({ status: 429 })
  })
})

describe('the life of a key', () => {
  test('its uses are counted, with the time and the network of the last one, and make no rows in the audit log', async () => {
    const countAudit = () =>
      inSystem(async tx => (await sql<{ n: bigint }>`select count(*) as n from audit_log`.execute(tx)).rows[0]?.n)
    const clock = fixedClock('2026-11-01T00:00:00Z')
    const database = system.parts.database
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
    const { database, jobs } = system.parts
    const parts = { database, jobs, clock, webOrigin: 'https://pc.example', announce: announceToOrganization }
    await inSystem(tx => sql`delete from pgboss.job where name = 'mail'`.execute(tx))
    expect(await tellOfEndingKeys(parts)).toBe(0)
    clock.set(new Date(start + 16 * DAY_MS).toISOString())
    expect(await tellOfEndingKeys(parts)).toBe(1)
    expect(await tellOfEndingKeys(parts)).toBe(0)
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
    await deleteWhatIsOver(system.parts.database, clock)
    expect(await names()).toEqual(['ended', 'revoked'])
    clock.set(new Date(start + 400 * DAY_MS).toISOString())
    await deleteWhatIsOver(system.parts.database, clock)
    expect(await names()).toEqual(['ended'])
    clock.set(new Date(start + 430 * DAY_MS).toISOString())
    await deleteWhatIsOver(system.parts.database, clock)
    expect(await names()).toEqual([])
  })
})
