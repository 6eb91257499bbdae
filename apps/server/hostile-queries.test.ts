import { LIMITS } from '@pc/platform/graphql/operation-limits.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { type Asks, COPS, INTROSPECTION, times } from '@pc/testing/system/graphql-cop.ts'
import { JSON_HEADERS, rawRequest } from '@pc/testing/system/raw-request.ts'
import { operation, rootFields } from '@pc/testing/system/sample-requests.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import fc from 'fast-check'
import { type AuditFail, auditServer } from 'graphql-http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

/**
 * For both APIs: the audits of GraphQL over HTTP, the questions of graphql-cop, every limit at its
 * edge, queries that ask for too much, and requests at random that say anything at all.
 */
let system: SystemUnderTest
let admin: string
let nobody: string

beforeAll(async () => {
  system = await startSystemUnderTest()
  admin = await system.tokenOf(system.rows.users.admin.email)
  nobody = await system.tokenOf(system.rows.users.nobody.email)
})
afterAll(() => system?.close())

const APIS = ['insight', 'iam'] as const
const addressOf = (api: (typeof APIS)[number]) => `${system.origins[api]}/query`
const QUERY = JSON.stringify({ query: '{ __typename }' })

describe.each(APIS)('graphql-http audits the %s API', api => {
  /** What may be, and is not: nothing is asked by GET. */
  const BY_GET = ['5A70', 'D6D5', '6A70']
  /** These ask for the schema, which people without a role are not told. */
  const INTROSPECTING = ['28B9', '2EA1']
  test.each([
    ['admin', BY_GET],
    ['nobody', [...BY_GET, ...INTROSPECTING]],
  ] as const)('as %s: 61 audits, and only what is decided otherwise is not met', async (who, expected) => {
    const fetchFn = (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${who === 'admin' ? admin : nobody}` } })
    const results = await auditServer({ url: addressOf(api), fetchFn })
    expect(results).toHaveLength(61)
    const failed = results.filter((result): result is AuditFail => result.status !== 'ok')
    expect(failed.map(({ id }) => id).sort()).toEqual([...expected].sort())
    if (who === 'admin') expect(failed.filter(({ status }) => status === 'error')).toEqual([]) // a MUST
  })
})

test('a month after the last one is refused wherever one is demanded, instead of a fault behind it', async () => {
  const { rows, dependencies } = system
  let requested = 0
  for (const { kind, field } of rootFields(dependencies.insightSchema)) {
    const { query, variables } = operation(field, kind, rows.a, rows.users.admin.uid)
    for (const name of Object.keys(variables).filter(each => /month$/i.test(each))) {
      const answer = await system.ask('insight', query, admin, { ...variables, [name]: '2100-01' })
      const refusals = (answer.json.errors?.[0]?.extensions.refusals ?? []) as readonly { readonly code: string }[]
      const codes = refusals.map(({ code }) => code)
      expect(codes, `${field.name}: ${answer.text}`).toContain('payment/month-invalid')
      requested += 1
    }
  }
  expect(requested).toBeGreaterThan(10)
})

describe.each(APIS)('graphql-cop finds nothing at the %s API', api => {
  const asksAs = (token: string | undefined): Asks => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const send: Asks['send'] = async (method, address, type, body) => {
      const url = new URL(address, `${addressOf(api)}`).href
      const options = { method, headers: { ...headers, ...(type ? { 'content-type': type } : {}) } }
      const { text } = await rawRequest(url, body === undefined ? options : { ...options, body })
      return { text, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {} }
    }
    return { send, query: query => send('POST', '', JSON_HEADERS['content-type'], JSON.stringify({ query })) }
  }
  test.each(Object.entries(COPS))('%s', async (_name, isVulnerable) => {
    for (const token of [admin, nobody, undefined]) expect(await isVulnerable(asksAs(token))).toBe(false)
  })
  test.each(Object.entries(INTROSPECTION))('%s', async (_name, isVulnerable) => {
    for (const token of [nobody, undefined]) expect(await isVulnerable(asksAs(token))).toBe(false)
    expect(await isVulnerable(asksAs(admin))).toBe(true) // so the question could find something
  })
})

/** One operation at a limit and beyond it, however it is written: what is asked for is looked at before the schema is. */
describe.each(APIS)('limits of the %s API', api => {
  const WAYS: Readonly<Record<string, (fields: string) => string>> = {
    plain: fields => `{ ${fields} }`,
    'an inline fragment': fields => `{ ... { ${fields} } }`,
    'an inline fragment with its type': fields => `query Q { ... on Query { ${fields} } }`,
    'a fragment': fields => `{ ...A } fragment A on Query { ${fields} }`,
    'a fragment in a fragment': fields => `{ ...A } fragment A on Query { ...B } fragment B on Query { ${fields} }`,
    'an inline fragment in a fragment': fields => `{ ...A } fragment A on Query { ... { ${fields} } }`,
    'a mutation': fields => `mutation { ${fields} }`,
  }
  const list = api === 'insight' ? 'agreements' : 'users'
  const LIMITED: readonly (readonly [reason: string, limit: number, fields: (count: number) => string])[] = [
    ['too-deep', LIMITS.depth, count => `${'x { '.repeat(count - 1)} y ${'}'.repeat(count - 1)}`],
    ['too-many-fields', LIMITS.fields, count => `x { ${'y '.repeat(count - 1)} }`],
    ['too-many-aliases', LIMITS.aliases, count => `x { ${times(count, i => `a${i}: y`)} }`],
    ['too-many-directives', LIMITS.directives, count => `x { y ${'@d '.repeat(count)} }`],
    ['too-many-root-fields', LIMITS.rootFields, count => 'x '.repeat(count)],
    // The list itself, and its rows with one field each.
    ['too-much', LIMITS.cost, count => `${list}(limit: ${Math.floor((count - 1) / 2)}, offset: 0) { nodes { id } }`],
  ]
  const reasonOf = async (query: string) => (await system.ask(api, query, admin)).json.errors?.[0]?.extensions.reason
  let checks = 0
  test.each(LIMITED)('%s: %i and no more', async (reason, limit, fields) => {
    for (const [way, write] of Object.entries(WAYS)) {
      if (way === 'a mutation' && reason === 'too-much') continue // no mutation has pages
      expect(`${await reasonOf(write(fields(limit)))}`, way).not.toMatch(/^too-/)
      expect(await reasonOf(write(fields(limit + 2))), way).toBe(reason)
      checks += 2
    }
  })
  test('tokens', async () => {
    const text = async (count: number) => (await system.ask(api, `{ ${'x '.repeat(count - 2)}}`, admin)).text
    expect(await text(LIMITS.tokens)).not.toContain('2000 tokens')
    expect(await text(LIMITS.tokens + 1)).toContain('2000 tokens')
    checks += 2
  })
  test('characters and comments, for everybody', async () => {
    for (const token of [admin, nobody, undefined]) {
      const reason = async (query: string) => (await system.ask(api, query, token)).json.errors?.[0]?.extensions.reason
      expect(await reason('{ __typename }'.padEnd(LIMITS.characters))).toBe(undefined)
      expect(await reason('{ __typename }'.padEnd(LIMITS.characters + 1))).toBe('too-long')
      expect(await reason(`${'#\n'.repeat(LIMITS.tokens)}{ __typename }`)).toBe(undefined)
      expect(await reason(`${'#\n'.repeat(LIMITS.tokens + 1)}{ __typename }`)).toBe('too-long')
      expect(await reason(`#0\n${'#\n'.repeat(680_000)}{__typename}`)).toBe('too-long')
      checks += 5
    }
  })
  test('are at least 58 checks, 116 of both APIs', () => expect(checks).toBeGreaterThanOrEqual(58))
  test.each([
    ['themselves', `{ ...A } fragment A on Query { ...B } fragment B on Query { ${'...B '.repeat(400)} }`],
    [
      'each other',
      `{ ...A } fragment A on Query { ...B } fragment B on Query { ${'...C '.repeat(400)} } fragment C on Query { ${'...B '.repeat(400)} }`,
    ],
    [
      'nothing',
      `{ ...F0 } fragment F0 on Query { ...F1 } ${times(5, i => `fragment F${i + 1} on Query { ${`...F${i + 2} `.repeat(150)} }`)}`,
    ],
  ])('fragments that spread %s again and again are refused before they are validated', async (_name, query) => {
    expect((await system.ask(api, query)).json.errors?.[0]?.extensions).toMatchObject({
      ...{ code: 'BAD_REQUEST', reason: 'too-many-spreads' },
    })
  })
  test('spreads, also of what leads nowhere', async () => {
    const spread = (count: number, name: string) => `{ x { ${`...${name} `.repeat(count)} } } fragment A on Query { y }`
    for (const name of ['A', 'Nothing']) {
      expect(`${await reasonOf(spread(LIMITS.spreads, name))}`, name).not.toMatch(/^too-/)
      expect(await reasonOf(spread(LIMITS.spreads + 1, name)), name).toBe('too-many-spreads')
    }
  })
})

/** Values that are nested, long or repeated instead of wrong, in every way in which a value can be sent. */
describe.each(APIS)('shapes of what is sent to the %s API', api => {
  const post = (body: string, token?: string) =>
    rawRequest(addressOf(api), {
      headers: { ...JSON_HEADERS, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body,
    })
  const nested = (depth: number, [open, inner, close]: readonly [string, string, string]) =>
    open.repeat(depth) + inner + close.repeat(depth)
  const LISTS = ['[', '1', ']'] as const
  const OBJECTS = ['{"a":', '1', '}'] as const
  const BODIES: Readonly<Record<string, (depth: number) => string>> = {
    'lists in a variable': depth => `{"query":"query($a:[Int]){__typename}","variables":{"a":${nested(depth, LISTS)}}}`,
    'objects in a variable': depth => `{"query":"{__typename}","variables":{"a":${nested(depth, OBJECTS)}}}`,
    'lists of objects': depth => `{"query":"{__typename}","variables":{"a":${nested(depth, ['[{"a":', '1', '}]'])}}}`,
    extensions: depth => `{"query":"{__typename}","extensions":{"a":${nested(depth, OBJECTS)}}}`,
    'a persisted query': depth => `{"extensions":{"persistedQuery":{"sha256Hash":${nested(depth, LISTS)}}}}`,
    'a batch': depth => `[${nested(depth, OBJECTS)}]`,
    'the body itself': depth => nested(depth, LISTS),
    'what is never closed': depth => '['.repeat(depth),
    'a query that is no text': depth => `{"query":${nested(depth, LISTS)}}`,
    'literal lists': depth =>
      JSON.stringify({ query: `{ __type(name: ${nested(Math.min(depth, 950), LISTS)}) { name } }` }),
    'literal objects': depth =>
      JSON.stringify({ query: `{ __type(name: ${nested(Math.min(depth, 450), ['{a:', '1', '}'])}) { name } }` }),
    'the default of a variable': depth =>
      JSON.stringify({ query: `query($a: Int = ${nested(Math.min(depth, 950), LISTS)}) { __typename }` }),
    'the type of a variable': depth =>
      JSON.stringify({ query: `query($a: ${nested(Math.min(depth, 950), ['[', 'Int', ']'])}) { __typename }` }),
    'a directive': depth =>
      JSON.stringify({ query: `{ __typename @include(if: ${nested(Math.min(depth, 950), LISTS)}) }` }),
  }
  test.each(Object.entries(BODIES))('%s nested 40, 5,000 and 200,000 deep are refused', async (_way, body) => {
    for (const depth of [40, 5_000, 200_000]) {
      for (const token of [undefined, admin]) {
        const { status, text } = await post(body(depth), token)
        expect(status, text.slice(0, 300)).toBeLessThan(500)
        expect(text, `${depth}`).toMatch(/body-too-deep|value-too-deep/)
      }
    }
  })
  test('what forms send is far from the limit, and brackets in texts count for nothing', async () => {
    const variables = { a: ['[{'.repeat(50_000), '\\"[[', '\\'], b: nested(20, ['[', '', ']']) }
    const { text } = await post(JSON.stringify({ query: '{ __typename }', variables }))
    expect(JSON.parse(text)).toEqual({ data: { __typename: 'Query' } })
    expect((await post(`{"query":"{__typename}","variables":{"a":${nested(29, LISTS)}}}`)).text).toContain('Query')
  })
  test('lists and objects with more than 10,000 items are refused before they are read', async () => {
    const many = Array.from({ length: 10_001 }, (_, n) => n)
    for (const a of [many, [[many]], Object.fromEntries(many.map(n => [`k${n}`, n]))]) {
      const { status, text } = await post(JSON.stringify({ query: '{ __typename }', variables: { a } }))
      expect([status, text.includes('body-too-many-items')]).toEqual([400, true])
    }
  })
})

describe('lists of arguments', () => {
  const ids = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `${n + from}`)
  const CLOSE = 'mutation ($ids: [ID!]) { finalizeMonthlyDividendManualOperation(id: "7", mediumIds: $ids) { id } }'
  const FEEDS = 'query ($ids: [ID!]) { feeds(limit: 1, offset: 0, param: { ids: $ids }) { total } }'
  const refusals = async (query: string, given: unknown, token: string | undefined = admin) => {
    const { json: body } = await system.ask('insight', query, token, { ids: given })
    const { code, refusals: found = [] } = { code: undefined, ...body.errors?.[0]?.extensions }
    return [code, ...(found as { code: string; path: unknown }[]).map(each => [each.code, each.path])]
  }
  test('have 1,000 items, at the field that is meant, after the right', async () => {
    expect(await refusals(CLOSE, ids(1_001))).toEqual(['BAD_REQUEST', ['input/too-many-items', ['mediumIds']]])
    expect(await refusals(FEEDS, ids(1_001))).toEqual(['BAD_REQUEST', ['input/too-many-items', ['param', 'ids']]])
    expect(await refusals(FEEDS, ids(1_000))).toEqual([undefined])
    expect(await refusals(CLOSE, ids(1_001), '')).toEqual(['UNAUTHENTICATED'])
    expect(await refusals(CLOSE, ids(1_001), nobody)).toEqual(['FORBIDDEN'])
    const literal = `{ feeds(limit: 1, offset: 0, param: { ids: [${ids(1_001).map(id => `"${id}"`)}] }) { total } }`
    expect(await refusals(literal, [])).toEqual(['BAD_REQUEST', ['input/too-many-items', ['param', 'ids']]])
  })
  test('are longer where that is declared', async () => {
    const pay = 'mutation ($ids: [ID!]!) { markPaid(ids: $ids, paidOn: "2026-10-01") }'
    expect(await refusals(pay, ids(1_001, 900_000_000))).not.toContainEqual(['input/too-many-items', ['ids']])
    const repeated = ids(1_001, 900_000_000).flatMap(id => [id, `0${id}`])
    expect(await refusals(pay, repeated)).toEqual(await refusals(pay, ids(1_001, 900_000_000)))
  })
  test('of ids are sets, however the same id is written', async () => {
    expect(await refusals(FEEDS, Array(9_999).fill('1'))).toEqual([undefined])
    expect(await refusals(CLOSE, ['5', '05', '005', ...Array(5_000).fill('0005')])).toEqual(
      await refusals(CLOSE, ['5']),
    )
  })
})

describe('what is too much is refused before anything runs', () => {
  const code = async (query: string, token = admin) => {
    const { json: body, text } = await system.ask('insight', query, token)
    return body.errors?.[0]?.extensions.code === 'BAD_REQUEST' && !text.includes('"data"') ? 'refused' : 'ran'
  }
  const nodes = (fields: string) => `{ agreements(limit: 1, offset: 0) { nodes { ${fields} } } }`

  test('depth', async () => {
    expect(await code(nodes('organization { id }'))).toBe('ran')
    expect(await code(`{ a: __schema { types ${'{ fields { type '.repeat(12)} { name } ${'} }'.repeat(12)} } }`)).toBe(
      'refused',
    )
    expect(await code(`{ ${'agreements(limit: 1, offset: 0) { nodes { '.repeat(8)} id ${'} }'.repeat(8)} }`)).toBe(
      'refused',
    )
  })
  test('the same field again and again', async () => {
    expect(await code(nodes('id '.repeat(500)))).toBe('refused')
    expect(await code(`{ ${'__typename '.repeat(500)} }`)).toBe('refused')
  })
  test('directives', async () => {
    expect(await code(nodes(`id ${'@include(if: true) '.repeat(40)}`))).toBe('refused')
    expect(await code(nodes(`id ${'@aa '.repeat(40)}`))).toBe('refused')
  })
  test('cost: rows times fields, also through variables', async () => {
    const fields = nodes('id name code').replace('limit: 1', 'limit: 100000')
    expect(await code(fields)).toBe('refused')
    const wide = (declared: string, limit: string) =>
      `query Q(${declared}) { agreements(limit: ${limit}, offset: 0) { nodes { ${'id '.repeat(200)} } } }`
    expect(await code(wide('$limit: Int! = 1000', '$limit'))).toBe('refused')
    expect(await code(`query Q($n: Int = 1000) { answerTemplates(limit: $n) { ${'id '.repeat(200)} } }`)).toBe(
      'refused',
    )
    expect(await code(`{ answerTemplates { ${'id '.repeat(200)} } }`)).toBe('refused')
    const query = 'query Q($limit: Int!) { agreements(limit: $limit, offset: 0) { nodes { id name code } } }'
    const { json: body } = await system.ask('insight', query, admin, { limit: 100_000 })
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringContaining('limit を小さくする'),
      extensions: { code: 'BAD_REQUEST', reason: 'too-much' },
    })
  })
  test('fragments that multiply', async () => {
    const bomb = Array.from({ length: 20 }, (_, i) => `fragment F${i} on Agreement { ...F${i + 1} ...F${i + 1} }`).join(
      ' ',
    )
    const { json: body } = await system.ask(
      'insight',
      `${nodes('...F0')} ${bomb} fragment F20 on Agreement { id }`,
      admin,
    )
    expect(body.errors?.[0]?.extensions.reason).toBe('too-many-fields')
  })
  test('circular fragments', async () => {
    expect(await code(`${nodes('...A')} fragment A on Agreement { ...B } fragment B on Agreement { ...A }`)).toBe(
      'refused',
    )
  })
  test('a page of at most 1000, from 0 on', async () => {
    for (const page of [
      'limit: 0, offset: 0',
      'limit: -1, offset: 0',
      'limit: 1001, offset: 0',
      'limit: 1, offset: -1',
    ]) {
      const answer = await system.ask('insight', `{ publishers(${page}) { total } }`, admin)
      expect(answer.json.errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_REQUEST',
        refusals: [{ path: [expect.any(String)] }],
      })
    }
  })
  test('batches and bodies that are too large', async () => {
    const url = `${system.origins.insight}/query`
    expect((await rawRequest(url, { headers: JSON_HEADERS, body: `[${QUERY},${QUERY}]` })).status).toBe(400)
    expect(
      (await rawRequest(url, { headers: JSON_HEADERS, body: JSON.stringify({ query: ' '.repeat(3_000_000) }) })).status,
    ).toBe(413)
    expect(
      (await rawRequest(url, { headers: { ...JSON_HEADERS, 'content-encoding': 'gzip' }, body: QUERY })).status,
    ).toBe(415)
  })
  test('introspection is for people with a role', async () => {
    const introspection = '{ __schema { queryType { name } types { name } } }'
    expect((await system.ask('insight', introspection, admin)).json.errors).toBeUndefined()
    for (const token of [nobody, undefined]) {
      expect((await system.ask('insight', introspection, token)).json.errors?.[0]?.extensions.code).toBe('BAD_REQUEST')
      expect((await system.ask('insight', '{ __type(name: "Agreement") { name } }', token)).text).not.toContain(
        'Agreement"}',
      )
    }
  })
  test('no suggestions of names', async () => {
    for (const token of [admin, nobody, undefined]) {
      expect((await system.ask('insight', '{ agreement { id } }', token)).text).not.toMatch(/did you mean/i)
    }
  })
})

describe('malformed requests', () => {
  const names = fc.constantFrom(
    'agreements',
    'publishers',
    'organizations',
    'availableMedia',
    'summaryStats',
    'user',
    'policies',
  )
  const literal = fc.oneof(
    fc.constantFrom(
      'null',
      'true',
      '-1',
      '9e99',
      '99999999999999999999',
      '""',
      '"\\u0000"',
      '[[[]]]',
      '{a: {b: 1}}',
      '$x',
      'ENUM',
    ),
    fc.string({ maxLength: 40 }).map(text => JSON.stringify(text)),
    fc.integer().map(String),
  )
  const argument = fc.tuple(
    fc.constantFrom('limit', 'offset', 'param', 'q', 'orderBy', 'userID', 'role', 'nothing'),
    literal,
  )
  const query = fc
    .tuple(
      names,
      fc.array(argument, { maxLength: 5 }),
      fc.constantFrom(
        '',
        '{ total }',
        '{ nodes { id } }',
        '{ total nodes { id name } totals { date } }',
        '{ uid }',
        '{ x ',
      ),
    )
    .map(
      ([name, args, fields]) =>
        `{ ${name}${args.length > 0 ? `(${args.map(([key, value]) => `${key}: ${value}`).join(', ')})` : ''} ${fields} }`,
    )
  const variables = fc.jsonValue({ maxDepth: 3 })
  const valid =
    'query Q($limit: Int!, $offset: Int!, $param: AgreementsParam, $q: String, $orderBy: AgreementsOrderBy) { agreements(limit: $limit, offset: $offset, param: $param, q: $q, orderBy: $orderBy) { total nodes { id } } }'
  const values = fc.record({
    limit: fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(10)),
    offset: fc.oneof(fc.integer(), fc.constantFrom(0, 2_147_483_647, -1, null)),
    param: fc.dictionary(
      fc.constantFrom('userUid', 'organizationId', 'mediumId', 'isTerminated', '__proto__', 'x'),
      fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 })),
    ),
    q: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom("'; drop table users; --", '%', '_', '\\', '\0'),
    ),
    orderBy: fc.constantFrom('ID_ASC', 'NAME_DESC', 'id desc', null),
  })
  const body = fc.oneof(
    query.map(text => JSON.stringify({ query: text })),
    fc.tuple(query, variables).map(([text, given]) => JSON.stringify({ query: text, variables: given })),
    values.map(given => JSON.stringify({ query: valid, variables: given })),
    fc.json({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)),
  )
  const authorization = fc.oneof(
    fc.constant('good'),
    fc.constant(''),
    fc.string({ maxLength: 60 }).map(text => `Bearer ${text.replaceAll(/[^\x20-\x7e]/g, '')}`),
  )

  const RANDOM_QUERIES = sampleOr(1_000, 3_000)
  /** Speed is measured by npm run bench: here it is how much a request makes the system do. */
  const WORK = { statements: 20, answerBytes: 20_000 }
  test(`${RANDOM_QUERIES} of them: never a server error, never a fault, never much work`, async () => {
    const most = { statements: 0, answerBytes: 0 }
    const statements = vi.spyOn(pg.Client.prototype, 'query')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...APIS), body, authorization, async (api, sent, auth) => {
        statements.mockClear()
        const headers = {
          ...JSON_HEADERS,
          ...(auth === '' ? {} : { authorization: auth === 'good' ? `Bearer ${admin}` : auth }),
        }
        const answer = await rawRequest(`${system.origins[api]}/query`, { headers, body: sent })
        most.statements = Math.max(most.statements, statements.mock.calls.length)
        most.answerBytes = Math.max(most.answerBytes, Buffer.byteLength(answer.text))
        expect(answer.status, answer.text).toBeLessThan(500)
        expect(answer.text).not.toContain('INTERNAL_SERVER_ERROR')
      }),
      { numRuns: RANDOM_QUERIES },
    )
    console.warn(`most work of a malformed request: ${JSON.stringify(most)}`)
    expect(most.statements).toBeGreaterThan(0)
    expect(most.statements).toBeLessThanOrEqual(WORK.statements)
    expect(most.answerBytes).toBeLessThanOrEqual(WORK.answerBytes)
    expect(system.logged.filter(line => line.includes('"error"'))).toEqual([])
  }, 60_000)

  test('no token, password or body is in the log', () => {
    const text = system.logged.join('\n')
    expect(text.length).toBeGreaterThan(1_000)
    for (const secret of [admin, nobody, 'drop table', 'Bearer ']) expect(text).not.toContain(secret)
  })
})
