import http from 'node:http'
import { createKey } from '@pc/features/ingest/server/ingest-key-commands.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Whatever a client is told, it is told in Japanese, with what to do, and by a code that stays the same. */
let system: SystemUnderTest
let token = ''
beforeAll(async () => {
  system = await startSystemUnderTest()
  token = await system.tokenOf(system.rows.users.admin.email)
})
afterAll(() => system?.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const isJapanese = (text: string) =>
  /[ぁ-んァ-ヶ]/.test(text) && /(ください|できません|必要です|ありません|違います|までです)。?/.test(text)

interface Message {
  readonly message: string
  readonly code: string
}
function messagesIn(text: string): readonly Message[] {
  const body = JSON.parse(text) as Message & {
    readonly errors?: readonly { message: string; extensions: { code: string; reason?: string } }[]
    readonly refusals?: readonly Message[]
  }
  const ofErrors = body.errors?.map(({ message, extensions: { code, reason } }) => ({ message, code: reason ?? code }))
  return ofErrors ?? body.refusals ?? [body]
}
async function send(address: string, init: RequestInit) {
  const response = await fetch(address, init)
  return { status: response.status, headers: response.headers, messages: messagesIn(await response.text()) }
}

describe('the APIs', () => {
  const query = (text: string, variables?: object) => JSON.stringify({ query: text, variables })
  const deep = `{ ${'a { '.repeat(13)} b ${'}'.repeat(13)} }`
  const list = (inner: string) => `{ publishers(limit: 1, offset: 0) { nodes { ${inner} } } }`
  const cases: readonly (readonly [string, RequestInit, number, string])[] = [
    ['GET', { method: 'GET' }, 405, 'method-not-allowed'],
    [
      'a form',
      { body: 'query=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'content-type-not-json',
    ],
    ['no JSON', { body: '{ "query": ' }, 400, 'body-not-json'],
    ['not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, 'body-not-utf8'],
    ['a list', { body: `[${query('{ a }')}]` }, 400, 'batch-not-accepted'],
    ['a text', { body: '"x"' }, 400, 'body-not-object'],
    ['no query', { body: '{}' }, 400, 'query-missing'],
    ['variables that are a list', { body: '{"query":"{ a }","variables":[]}' }, 400, 'variables-not-object'],
    ['extensions that are a text', { body: '{"query":"{ a }","extensions":"x"}' }, 400, 'extensions-not-object'],
    ['a number as name', { body: '{"query":"{ a }","operationName":1}' }, 400, 'operation-name-not-text'],
    ['NUL', { body: query('{ a(b: "\\u0000") }') }, 400, 'query-has-nul'],
    ['compressed', { body: query('{ a }'), headers: { 'content-encoding': 'gzip' } }, 415, 'body-compressed'],
    ['only pictures wanted', { body: query('{ a }'), headers: { accept: 'image/png' } }, 406, 'answer-not-acceptable'],
    [
      'a foreign page',
      { body: query('{ a }'), headers: { origin: 'https://elsewhere.example' } },
      403,
      'origin-not-allowed',
    ],
    ['no GraphQL', { body: query('{ a ') }, 200, 'syntax'],
    ['3,000 words', { body: query(`{ ${'a '.repeat(3_000)} }`) }, 200, 'too-long'],
    ['13 levels', { body: query(deep) }, 200, 'too-deep'],
    ['500 fields', { body: query(list('id '.repeat(500))) }, 200, 'too-many-fields'],
    [
      '40 aliases',
      { body: query(list(Array.from({ length: 40 }, (_one, at) => `a${at}: id`).join(' '))) },
      200,
      'too-many-aliases',
    ],
    ['40 directives', { body: query(list('id @include(if: true) '.repeat(40))) }, 200, 'too-many-directives'],
    [
      '16 questions',
      { body: query(`{ ${Array.from({ length: 16 }, () => '__typename').join(' ')} }`) },
      200,
      'too-many-root-fields',
    ],
    ['a long question', { body: query(`{ a }${' '.repeat(32_000)}`) }, 200, 'too-long'],
    ['many comments', { body: query(`${'#\n'.repeat(3_000)}{ a }`) }, 200, 'too-long'],
    ['a million rows', { body: query('{ publishers(limit: 1000000, offset: 0) { nodes { id } } }') }, 200, 'too-much'],
    ['two operations', { body: query('query A { __typename } query B { __typename }') }, 200, 'operation-unclear'],
    ['a subscription', { body: query('subscription { a }') }, 200, 'no-subscriptions'],
    ['an unknown field', { body: query('{ nothing }') }, 200, 'query-invalid'],
    [
      'a wrong variable',
      { body: query('query Q($id: ID!) { publisher(id: $id) { id } }', { id: [] }) },
      200,
      'variable-invalid',
    ],
    ['a wrong limit', { body: query('{ publishers(limit: 0, offset: 0) { total } }') }, 200, 'BAD_REQUEST'],
    [
      'a wrong day',
      {
        body: query(
          'query Q($d: Date!) { summaryStats(limit: 1, offset: 0, param: { from: $d, to: $d, granularity: daily }) { total } }',
          { d: '2026-02-30' },
        ),
      },
      200,
      'variable-invalid',
    ],
    ['nobody', { body: query(list('id')), headers: { authorization: '' } }, 200, 'UNAUTHENTICATED'],
    [
      'introspection by nobody',
      { body: query('{ __schema { types { name } } }'), headers: { authorization: '' } },
      200,
      'introspection-needs-role',
    ],
  ]
  test.each(cases)('say to %s what is wrong', async (_name, init, status, code) => {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}`, ...(init.headers as object) }
    const { origins } = system
    const answer = await send(`${origins.insight}/query`, { method: 'POST', ...init, headers })
    expect([answer.status, answer.messages.map(messages => messages.code)]).toEqual([status, [code]])
    for (const { message } of answer.messages) expect(message).toSatisfy(isJapanese)
    if (status !== 200) expect(answer.headers.get('x-error-code')).toBe(code)
  })

  test('say that a body is too large before it has arrived', async () => {
    const headers = { ...JSON_TYPE, 'content-length': '3000000' }
    const answer = await asPage(`${system.origins.insight}/query`, { body: 'x', headers })
    expect([answer.status, answer.messages[0]?.code]).toEqual([413, 'body-too-large'])
    expect(answer.messages[0]?.message).toSatisfy(isJapanese)
  })

  test('keep the words of GraphQL, which name the place, as the detail', async () => {
    const { json } = await system.ask('insight', '{\n  nothing }', token)
    expect(json.errors?.[0]).toMatchObject({
      message: expect.stringContaining('2行目の3文字目'),
      extensions: { code: 'BAD_REQUEST', detail: expect.stringContaining('nothing') },
    })
  })

  test('say it in the same way where no API is, and to a person in a browser as a text', async () => {
    const answer = await send(`${system.origins.insight}/nothing`, { headers: { accept: '*/*' } })
    expect([answer.status, answer.messages[0]?.code]).toEqual([404, 'query-address'])
    expect(answer.messages[0]?.message).toSatisfy(isJapanese)
    const page = await fetch(`${system.origins.iam}/nothing`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/plain')
    expect(await page.text()).toSatisfy(isJapanese)
  })

  test.each(['/exports/report', '/agreement-documents'])('%s does too', async path => {
    const address = `${system.origins.insight}${path}`
    for (const [init, status, code] of [
      [{ method: 'GET' }, 405, 'method-not-allowed'],
      [{ body: 'x', headers: JSON_TYPE }, 400, 'body-not-json'],
      [{ body: '{"id":"1","format":"csv","screen":"dashboard"}', headers: JSON_TYPE }, 401, 'unauthenticated'],
    ] as const) {
      const answer = await send(address, { method: 'POST', ...init })
      expect([answer.status, answer.messages[0]?.code]).toEqual([status, code])
      expect(answer.messages[0]?.message).toSatisfy(isJapanese)
    }
  })
})

test('deliveries are refused in Japanese', async () => {
  const { secret } = await createKey(system.dependencies.ingest.context, '配信')
  const bearer = { authorization: `Bearer ${secret}` }
  const address = `${system.origins.web}/ingest/v1`
  for (const [path, init, status, code] of [
    ['/summary-daily', { body: 'x' }, 401, 'unauthenticated'],
    ['/nothing', { body: 'x', headers: bearer }, 404, 'not-found'],
    ['/summary-daily', { method: 'GET', headers: bearer }, 405, 'method-not-allowed'],
    [
      '/summary-daily',
      { body: 'x', headers: { ...bearer, 'content-type': 'image/png' } },
      415,
      'content-type-not-accepted',
    ],
    [
      '/summary-daily',
      { body: 'x', headers: { ...bearer, 'content-encoding': 'br' } },
      415,
      'content-type-not-accepted',
    ],
  ] as const) {
    const answer = await send(`${address}${path}`, { method: 'POST', ...init })
    expect([path, answer.status, answer.messages[0]?.code]).toEqual([path, status, code])
    expect(answer.messages[0]?.message).toMatch(/[ぁ-ん]/)
  }
})

test('signing in is refused in Japanese', async () => {
  const address = `${system.origins.web}/sso/api`
  const own = { ...JSON_TYPE, origin: system.dependencies.config.webOrigin }
  for (const [path, init, status, code] of [
    ['/nothing', { body: '{}', headers: own }, 404, 'sign-in/bad-request'],
    ['/sign-in', { method: 'GET', headers: own }, 405, 'sign-in/bad-request'],
    ['/sign-in', { body: '{', headers: own }, 400, 'sign-in/bad-request'],
    ['/sign-in', { body: '{}', headers: { ...own, origin: 'https://elsewhere.example' } }, 403, 'sign-in/bad-request'],
    ['/sign-in', { body: 'x'.repeat(20_000), headers: own }, 413, 'sign-in/bad-request'],
    ['/sign-in', { body: '{}', headers: own }, 400, 'sign-in/email-required'],
    [
      '/sign-in',
      { body: '{"email":"x@example.jp","password":"wrong"}', headers: own },
      401,
      'sign-in/wrong-credentials',
    ],
    ['/totp/start', { body: '{}', headers: own }, 401, 'sign-in/not-signed-in'],
  ] as const) {
    const answer = await asPage(`${address}${path}`, init)
    expect([path, answer.status, answer.messages[0]?.code]).toEqual([path, status, code])
    expect(answer.messages[0]?.message).toSatisfy(isJapanese)
  }
})

/** `fetch` of Node sends no Origin of another page. */
function asPage(address: string, init: { readonly method?: string; readonly body?: string; readonly headers: object }) {
  return new Promise<{ status: number; messages: readonly Message[] }>((resolve, reject) => {
    const { method = 'POST', body, headers } = init
    const request = http.request(address, { method, headers: { ...headers } as http.OutgoingHttpHeaders }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, messages: messagesIn(text) }))
    })
    request.on('error', reject).end(body)
  })
}
