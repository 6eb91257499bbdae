import { LIMITS } from '@pc/platform/graphql/operation-limits.ts'
import { type AuditFail, auditServer } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, raw } from './raw-request.ts'
import { type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

/** Security figures, 15, for both APIs: the audits of GraphQL over HTTP, the questions of graphql-cop, every limit at its edge. */
let system: SystemUnderTest
const tokens: Record<'admin' | 'nobody', string> = { admin: '', nobody: '' }
beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const who of ['admin', 'nobody'] as const) tokens[who] = await system.tokenOf(system.rows.users[who].email)
})
afterAll(() => system?.close())

const APIS = ['insight', 'iam'] as const
const addressOf = (api: (typeof APIS)[number]) => `${system.origins[api]}/query`

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
      fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${tokens[who]}` } })
    const results = await auditServer({ url: addressOf(api), fetchFn })
    expect(results).toHaveLength(61)
    const failed = results.filter((result): result is AuditFail => result.status !== 'ok')
    expect(failed.map(({ id }) => id).sort()).toEqual([...expected].sort())
    if (who === 'admin') expect(failed.filter(({ status }) => status === 'error')).toEqual([]) // a MUST
  })
})

/** Each asks what graphql-cop asks, and answers whether that would call the API vulnerable. */
type Cop = (ask: Asks) => Promise<boolean>
interface Asks {
  readonly query: (query: string) => Promise<CopAnswer>
  readonly send: (method: string, address: string, type: string | undefined, body?: string) => Promise<CopAnswer>
}
interface CopAnswer {
  readonly text: string
  readonly body: { readonly data?: Record<string, unknown>; readonly errors?: unknown[]; readonly extensions?: object }
}
const hasData = ({ body }: CopAnswer) => body.data != null
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')
/** Where they would have to be switched off for everybody; with a role introspection is allowed. */
const INTROSPECTION: Readonly<Record<string, Cop>> = {
  introspection: async ({ query }) => hasData(await query('query cop { __schema { types { name fields { name } } } }')),
}
const COPS: Readonly<Record<string, Cop>> = {
  'alias overloading': async ({ query }) =>
    hasData(await query(`query cop { ${times(101, i => `alias${i}: __typename`)} }`)),
  'batch queries': async ({ send }) => {
    const batch = Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' }))
    const { body } = await send('POST', '', 'application/json', JSON.stringify(batch))
    return Array.isArray(body)
  },
  'directive overloading': async ({ query }) =>
    (await query(`query cop { __typename ${'@aa'.repeat(10)} }`)).body.errors?.length === 10,
  'field duplication': async ({ query }) => hasData(await query(`query cop { ${'__typename '.repeat(500)} }`)),
  'circular introspection': async ({ query }) =>
    hasData(
      await query(
        'query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }',
      ),
    ),
  'circular fragments': async ({ query }) =>
    !(
      await query(
        'query { __schema { ...A } } fragment A on __Schema { __typename ...B } fragment B on __Schema { ...A }',
      )
    ).body.errors,
  'field suggestions': async ({ query }) =>
    /did you mean/i.test((await query('query cop { __schema { directive } }')).text),
  'queries by GET': async ({ send }) =>
    hasData(await send('GET', `?query=${encodeURIComponent('query cop { __typename }')}`, undefined)),
  'mutations by GET': async ({ send }) =>
    hasData(await send('GET', `?query=${encodeURIComponent('mutation cop { __typename }')}`, undefined)),
  'a form by POST': async ({ send }) => {
    const query = `query=${encodeURIComponent('query { __typename }')}`
    const answers = [
      await send('POST', `?${query}`, undefined),
      await send('POST', '', 'application/x-www-form-urlencoded', query),
    ]
    return answers.some(hasData)
  },
  'an IDE': async ({ send }) => {
    const pages = await Promise.all(
      ['/graphiql', '/playground', '/console', '/graphql', '/query'].map(page => send('GET', `..${page}`, undefined)),
    )
    return pages.some(({ text }) => /graphiql|graphql.?playground/i.test(text))
  },
  tracing: async ({ query }) => (await query('query cop { __typename }')).body.extensions !== undefined,
  'unhandled errors': async ({ query }) =>
    /exception|stack|node_modules/i.test((await query('qwerty cop { abc }')).text),
}

describe.each(APIS)('graphql-cop finds nothing at the %s API', api => {
  const asksAs = (token: string | undefined): Asks => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const send: Asks['send'] = async (method, address, type, body) => {
      const url = new URL(address, `${addressOf(api)}`).href
      const options = { method, headers: { ...headers, ...(type ? { 'content-type': type } : {}) } }
      const { text } = await raw(url, body === undefined ? options : { ...options, body })
      return { text, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {} }
    }
    return { send, query: query => send('POST', '', json['content-type'], JSON.stringify({ query })) }
  }
  test.each(Object.entries(COPS))('%s', async (_name, isVulnerable) => {
    for (const token of [tokens.admin, tokens.nobody, undefined]) expect(await isVulnerable(asksAs(token))).toBe(false)
  })
  test.each(Object.entries(INTROSPECTION))('%s', async (_name, isVulnerable) => {
    for (const token of [tokens.nobody, undefined]) expect(await isVulnerable(asksAs(token))).toBe(false)
    expect(await isVulnerable(asksAs(tokens.admin))).toBe(true) // so the question could find something
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
  const reasonOf = async (query: string) =>
    (await system.ask(api, query, tokens.admin)).json.errors?.[0]?.extensions.reason
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
    const text = async (count: number) => (await system.ask(api, `{ ${'x '.repeat(count - 2)}}`, tokens.admin)).text
    expect(await text(LIMITS.tokens)).not.toContain('2000 tokens')
    expect(await text(LIMITS.tokens + 1)).toContain('2000 tokens')
    checks += 2
  })
  test('are at least 43 checks, 86 of both APIs', () => expect(checks).toBeGreaterThanOrEqual(43))
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
  ])('fragments that spread %s again and again are refused at once', async (_name, query) => {
    const started = process.cpuUsage()
    expect((await system.ask(api, query)).json.errors?.[0]?.extensions.code).toBe('BAD_REQUEST')
    const { user, system: kernel } = process.cpuUsage(started)
    expect((user + kernel) / 1_000).toBeLessThan(1_000)
  })
})
