import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ACCOUNT_ENDPOINTS } from '@pc/features/sign-in/server/account-endpoints.ts'
import { SIGN_IN_ENDPOINTS } from '@pc/features/sign-in/server/sign-in-endpoints.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { badTokens } from '@pc/testing/system/forged-tokens.ts'
import { type SystemUnderTest, startSystemUnderTest, WEB_ORIGIN } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity, Type } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Attacks on who somebody is, against the running system (security.md, threats 6–12, 22, 30–32, 40). */
let system: SystemUnderTest
let token: string
let canaryAddress: string
let fetchedKeys = 0
/** Whatever a token names as the place of its keys: asked for never. */
const canary = createServer((_req, res) => {
  fetchedKeys += 1
  res.end('{"keys":[]}')
})
beforeAll(async () => {
  system = await startSystemUnderTest()
  token = await system.tokenOf(system.rows.users.admin.email)
  await new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve))
  canaryAddress = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/jwks`
})
afterAll(async () => {
  canary.close()
  await system?.close()
})

describe('bearer tokens', () => {
  test('forged, or really signed but wrong, are nobody’s at either API; no key is fetched', async () => {
    const { config } = system.dependencies
    const otherUid = system.rows.users.ofB.uid
    const good = { token, issuer: config.oidcIssuer, origin: WEB_ORIGIN, otherUid }
    const { forged, wrong } = await badTokens(system.dependencies, good, canaryAddress)
    expect(forged.length).toBeGreaterThanOrEqual(48)
    expect(wrong.length).toBeGreaterThanOrEqual(16)
    for (const [name, bearer] of [...forged, ...wrong]) {
      for (const api of ['iam', 'insight'] as const) {
        const query = api === 'iam' ? '{ viewer { uid } }' : '{ agreements(limit: 1, offset: 0) { total } }'
        const { json } = await system.ask(api, query, bearer)
        expect(json.errors?.[0]?.extensions.code, `${api} ${name}`).toBe('UNAUTHENTICATED')
      }
    }
    expect(fetchedKeys).toBe(0)
    expect((await system.ask('iam', '{ viewer { uid } }', token)).json.errors).toBeUndefined()
  })
  test('die with their session, their user, and their user’s roles', async () => {
    const { uid, email } = system.rows.users['insight:viewer']
    const code = async (bearer: string) =>
      (await system.ask('iam', '{ viewer { uid } }', bearer)).json.errors?.[0]?.extensions.code
    const { database } = system.dependencies
    const ends: readonly [string, () => Promise<unknown>][] = [
      [
        'its session',
        () => database.inScope(SYSTEM, tx => sql`delete from idp_payloads where account_id = ${uid}`.execute(tx)),
      ],
      [
        'sign out everywhere',
        () => database.inScope(SYSTEM, tx => sql`select app.end_sessions_of(${uid}::uuid)`.execute(tx)),
      ],
      ['deletion', () => database.inScope(SYSTEM, tx => sql`delete from users where uid = ${uid}::uuid`.execute(tx))],
    ]
    for (const [name, end] of ends) {
      const bearer = await system.tokenOf(email)
      expect(await code(bearer), name).toBeUndefined()
      await end()
      expect(await code(bearer), name).toBe('UNAUTHENTICATED')
    }
  })
  test('are the only way: the session cookie of signing in says nothing to the APIs', async () => {
    const { uid, email } = system.rows.users['insight:editor']
    const { hashPassword } = await import('@pc/platform/oidc/password-hash.ts')
    const passwordHash = await hashPassword('the right words here')
    await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute(),
    )
    const browser = new TestBrowser(system.origins.web)
    const signedIn = await browser.api('sign-in', { email, password: 'the right words here' }, { origin: WEB_ORIGIN })
    expect(signedIn.status).toBe(200)
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect(cookie).toContain('session')
    for (const api of ['iam', 'insight'] as const) {
      const answer = await fetch(`${system.origins[api]}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: WEB_ORIGIN, cookie },
        body: JSON.stringify({
          query: api === 'iam' ? '{ viewer { uid } }' : '{ agreements(limit: 1, offset: 0) { total } }',
        }),
      })
      expect(await answer.text(), api).toContain('UNAUTHENTICATED')
    }
  })
})

const ORIGINS = [
  'null',
  'https://evil.example',
  'http://127.0.0.1',
  `${WEB_ORIGIN}.evil.example`,
  `${WEB_ORIGIN}0`,
  WEB_ORIGIN.replace('http:', 'https:'),
  WEB_ORIGIN.replace('127.0.0.1', '127.0.0.2'),
  WEB_ORIGIN.toUpperCase(),
  `http://evil.example@127.0.0.1:4990`,
  'file://',
  `${WEB_ORIGIN}/`,
]
/** All of them, also those that are added later. */
const SSO_POSTS = [...SIGN_IN_ENDPOINTS, ...ACCOUNT_ENDPOINTS]
  .map(([name]) => name)
  .filter(name => name.startsWith('POST '))
  .map(name => name.slice('POST '.length))

describe('other sites', () => {
  test('reach no endpoint of signing in: 11 origins, no forms, no GET', async () => {
    expect(SSO_POSTS.length).toBeGreaterThanOrEqual(23)
    for (const name of SSO_POSTS) {
      const url = `${system.origins.web}/sso/api/${name}`
      const answers = await Promise.all([
        ...ORIGINS.map(origin =>
          fetch(url, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: '{}' }),
        ),
        fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
        fetch(url, {
          method: 'POST',
          headers: { origin: WEB_ORIGIN, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
          body: '{}',
        }),
      ])
      for (const answer of answers) {
        expect(answer.status, name).toBe(403)
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const headers = { origin: WEB_ORIGIN, 'content-type': type }
        expect((await fetch(url, { method: 'POST', headers, body: 'a=b' })).status, name).toBe(415)
      }
      expect((await fetch(url)).status, name).toBe(405)
    }
  })
  test('get no CORS headers from anything the web listener serves', async () => {
    const paths = [
      '/gpc/',
      '/sso/',
      '/sso/api/session',
      '/sso/api/sessions',
      '/sso/api/security',
      '/oidc/jwks',
      '/oidc/me',
      '/healthz',
      '/nowhere',
    ]
    for (const path of paths) {
      for (const origin of ORIGINS) {
        for (const method of ['GET', 'OPTIONS']) {
          const headers = { origin, 'access-control-request-method': 'GET' }
          const answer = await fetch(`${system.origins.web}${path}`, { method, headers, redirect: 'manual' })
          expect(answer.headers.get('access-control-allow-origin'), `${method} ${path} ${origin}`).toBeNull()
        }
      }
    }
  })
  test('frame no page, also none that does not exist', async () => {
    for (const [path, answer] of await everyPage()) {
      const policy = answer.headers.get('content-security-policy') ?? ''
      // The silent sign-in is a hidden frame of our own pages.
      expect(policy, path).toContain(path.includes('/oidc/') ? "frame-ancestors 'self'" : "frame-ancestors 'none'")
      expect(policy, path).toMatch(/^default-src 'none'; (?:.*require-trusted-types-for 'script'|.*sandbox)/)
      expect(policy, path).not.toContain('unsafe')
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff')
    }
  })
  test('find no weakness in a policy that csp_evaluator knows of: nothing high, nothing medium', async () => {
    const weaknesses = (policy: string) =>
      new CspEvaluator(new CspParser(policy).csp)
        .evaluate()
        .filter(({ severity, type }) => severity <= Severity.MEDIUM && type !== Type.SRC_HTTP) // one machine has no TLS
        .map(({ directive, description }) => `${directive}: ${description}`)
    expect(weaknesses("script-src 'unsafe-inline'").length).toBeGreaterThan(0)
    const pages = await everyPage()
    expect(pages.length).toBeGreaterThanOrEqual(20)
    for (const [path, answer] of pages)
      expect(weaknesses(answer.headers.get('content-security-policy') ?? ''), path).toEqual([])
  })
})

/** What each listener answers to somebody who opens an address, also where there is nothing. */
function everyPage() {
  const web = [
    '/',
    '/gpc/',
    '/sso/',
    '/iam/',
    '/docs/',
    '/nowhere',
    '/gpc/nowhere',
    '/sso/nowhere',
    '/iam/nowhere',
    '/docs/nowhere',
    '/coupon/',
    '/sso/api/session',
    '/sso/api/nowhere',
    '/oidc/auth',
    '/oidc/jwks',
    '/oidc/nowhere',
    '/ingest/v1/nowhere',
  ].map(path => system.origins.web + path)
  const apis = [system.origins.iam, system.origins.insight].flatMap(origin => [`${origin}/query`, `${origin}/nowhere`])
  return Promise.all(
    [...web, ...apis].map(async address => {
      const options = { headers: { accept: 'text/html' }, redirect: 'manual' } as const
      return [address, await fetch(address, options)] as const
    }),
  )
}

describe('the subject of a request', () => {
  test('is the token’s, whatever a caller claims (threat 5)', async () => {
    const publisher = await system.tokenOf(system.rows.users['insight:publisher_editor'].email)
    const { users, b } = system.rows
    const foreign = String(b.organizationId)
    const requested = [
      ['iam', 'query Q($id: ID!) { user(userID: $id) { email } }', { id: users.ofB.uid }, { user: null }],
      [
        'insight',
        'query Q($id: ID!) { agreements(limit: 9, offset: 0, param: { userUid: $id }) { total } }',
        { id: users.ofB.uid },
        { agreements: { total: 0 } },
      ],
    ] as const
    for (const [api, query, variables, expected] of requested)
      expect((await system.ask(api, query, publisher, variables)).json.data).toEqual(expected)
    const administrator = await system.tokenOf(users['insight:publisher_admin'].email)
    const list = 'query Q($id: ID!) { users(organizationId: $id) { total } }'
    expect((await system.ask('iam', list, administrator, { id: foreign })).json.data).toEqual({ users: { total: 0 } })
  })
  test('cannot be raised by an argument, a header or a claim', async () => {
    const viewer = await system.tokenOf(system.rows.users['coupon:admin'].email)
    const answer = await fetch(`${system.origins.iam}/query`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${viewer}`,
        'x-user-roles': 'admin',
        'x-forwarded-user': system.rows.users.admin.uid,
        'x-scope': 'all',
      },
      body: JSON.stringify({
        query: '{ viewer { roles } }',
        variables: { roles: ['admin'], __proto__: { roles: ['admin'] } },
      }),
    })
    expect(await answer.json()).toEqual({ data: { viewer: { roles: ['coupon:admin'] } } })
  })
})
