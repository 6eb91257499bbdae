import { createHash, randomBytes } from 'node:crypto'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedEndpoints } from './embedded-endpoints.ts'

let db: TestDatabase
let server: IdentityServer
let browser: TestBrowser

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database)
  await addUser(db.database, { email: 'taro@example.jp', password: 'long enough for a test' })
  browser = new TestBrowser(server.origin)
  await browser.api('sign-in', { email: 'taro@example.jp', password: 'long enough for a test' })
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

const verifier = randomBytes(32).toString('base64url')
const parameters = () => ({
  client_id: 'console',
  response_type: 'code',
  redirect_uri: `${server.origin}/gpc/callback`,
  scope: 'openid email',
  state: 's',
  nonce: 'n',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})
type Change = Record<string, string | undefined>
function authorization(change: Change): string {
  const given = Object.entries({ ...parameters(), ...change }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return `/oidc/auth?${new URLSearchParams(given)}`
}
const authorize = (change: Change = {}, extra = '', headers: Record<string, string> = {}) =>
  browser.visit(`${authorization(change)}${extra}`, { headers })
const token = (form: Record<string, string>) =>
  fetch(`${server.origin}/oidc/token`, { method: 'POST', body: new URLSearchParams({ client_id: 'console', ...form }) })
const newCode = async () => new URL((await authorize()).location ?? '').searchParams.get('code') ?? ''

describe('an authorisation request', () => {
  it('gives a code for a session, with the issuer named against mix-ups', async () => {
    const answer = await authorize()
    const url = new URL(answer.location ?? '')
    expect(url.searchParams.get('code')).toBeTruthy()
    expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual(['s', server.config.oidcIssuer])
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })

  it('gives a script of our own pages the target, in place of the redirect', async () => {
    const requested = (origin?: string) =>
      authorize({ prompt: 'none' }, '', { accept: 'application/json', ...(origin === undefined ? {} : { origin }) })
    const answer = await requested()
    expect([answer.status, answer.location]).toEqual([200, undefined])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const url = new URL((JSON.parse(answer.text) as { location: string }).location)
    expect(`${url.origin}${url.pathname}`).toBe(`${server.origin}/gpc/callback`)
    const code = url.searchParams.get('code') ?? ''
    const used = { grant_type: 'authorization_code', code, redirect_uri: `${server.origin}/gpc/callback` }
    expect((await token({ ...used, code_verifier: verifier })).status).toBe(200)
    const foreign = await requested('https://evil.example')
    expect([...foreign.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  })

  it('answers it as well that nobody is signed in, and nothing of an address that is not registered', async () => {
    const accept = 'application/json'
    const nobody = new TestBrowser(server.origin)
    const none = await nobody.visit(authorization({ prompt: 'none' }), { headers: { accept } })
    expect(none.status).toBe(200)
    expect((JSON.parse(none.text) as { location: string }).location).toMatch(/[?&]error=login_required(&|$)/)
    const refused = await authorize({ redirect_uri: 'https://evil.example/' }, '', { accept })
    expect([refused.status, refused.location]).toEqual([400, undefined])
    expect(refused.text).not.toContain('evil.example')
  })

  it('is refused on the spot for every address that is not exactly registered', async () => {
    const { origin } = server
    const redirects = [
      undefined,
      '',
      'https://evil.example/',
      'https://evil.example/gpc/callback',
      `${origin}/gpc/callback/`,
      `${origin}/gpc/callback?x=1`,
      `${origin}/gpc/callback#x`,
      `${origin}/gpc/callback/..`,
      `${origin}/gpc//callback`,
      `${origin}/GPC/callback`,
      `${origin}/gpc/callback%2f..`,
      `${origin}/gpc/%63allback`,
      `${origin}.evil.example/gpc/callback`,
      `${origin}@evil.example/gpc/callback`,
      `${origin}:80/gpc/callback`,
      `${origin.replace('http:', 'https:')}/gpc/callback`,
      `${origin.replace('127.0.0.1', 'localhost')}/gpc/callback`,
      '/gpc/callback',
      '//evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      `${origin}/gpc/callback\u0000`,
      `${origin}/gpc/callback\\@evil.example`,
      ` ${origin}/gpc/callback`,
      `${origin}/`,
      `${origin}/gpc/`,
      `${origin}/sso`,
      `http://user:pw@${origin.slice(7)}/gpc/callback`,
    ]
    for (const redirect_uri of redirects) {
      const answer = await authorize({ redirect_uri })
      expect([answer.status, answer.location], String(redirect_uri)).toEqual([400, undefined])
      expect(answer.text).not.toContain('evil.example')
    }
    const twice = await authorize({}, `&redirect_uri=${encodeURIComponent('https://evil.example/')}`)
    expect([twice.status, twice.location]).toEqual([400, undefined])
  })

  it('needs PKCE with S256 and the code flow, in the query', async () => {
    const refusals: [Change, string][] = [
      [{ code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: 'x' }, 'invalid_request'],
      ...['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token', 'none'].map(
        (response_type): [Change, string] => [{ response_type }, 'invalid_request'],
      ),
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ response_mode: 'form_post' }, '400'],
      [{ request: 'x' }, 'request_not_supported'],
      [{ request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
      [{ prompt: 'consent' }, 'invalid_request'],
    ]
    for (const [change, error] of refusals) {
      const answer = await authorize(change)
      const url = new URL(answer.location ?? `${server.origin}/?error=${answer.status}`)
      const given = url.searchParams.get('error') ?? new URLSearchParams(url.hash.slice(1)).get('error')
      // A response mode that the client may not use is noticed before the response type that implies it.
      const refused = given === 'unsupported_response_type' ? 'invalid_request' : given
      expect([refused, url.origin], JSON.stringify(change)).toEqual([error, server.origin])
      expect(answer.location ?? '').not.toContain('code=')
    }
    expect((await authorize({ client_id: 'other' })).status).toBe(400)
  })

  it('gives no interaction page and no code by POST', async () => {
    const answer = await browser.visit('/oidc/auth', { method: 'POST', body: new URLSearchParams(parameters()) })
    expect(answer.status).toBe(404)
  })
})

describe('a code', () => {
  const exchange = (code: string, change: Record<string, string> = {}) =>
    token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${server.origin}/gpc/callback`,
      code_verifier: verifier,
      ...change,
    })

  it('is exchanged once; a second use revokes what the first one gave', async () => {
    const code = await newCode()
    const first = (await (await exchange(code)).json()) as { refresh_token: string }
    expect((await exchange(code)).status).toBe(400)
    expect((await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).status).toBe(400)
  })

  it('has at most one winner among parallel uses', async () => {
    for (let round = 0; round < 10; round++) {
      const code = await newCode()
      const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code)))
      expect(answers.filter(answer => answer.status === 200).length).toBeLessThanOrEqual(1)
      expect(answers.every(answer => answer.status === 200 || answer.status === 400)).toBe(true)
    }
  })

  it('needs its verifier and its redirect address', async () => {
    const changes = [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: '' },
      { redirect_uri: `${server.origin}/gpc/silent-callback` },
      { redirect_uri: '' },
      { client_id: 'other' },
    ]
    for (const change of changes) expect((await exchange(await newCode(), change)).status).toBeGreaterThanOrEqual(400)
    for (const grant_type of [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
    ]) {
      expect((await token({ grant_type, username: 'taro@example.jp', password: 'x' })).status).toBe(400)
    }
  })
})

describe('the issuer', () => {
  it('announces exactly what it does, at the configured origin whatever the Host', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    }
    const document = (await (
      await fetch(`${server.origin}/oidc/.well-known/openid-configuration`, { headers })
    ).json()) as Record<string, unknown>
    expect(JSON.stringify(document)).not.toContain('evil.example')
    expect(document).toMatchObject({
      ...embeddedEndpoints(`${server.origin}/oidc`),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['none'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    })
  })

  it('sends strict headers with every answer, errors too', async () => {
    for (const path of [
      '/oidc/auth',
      '/oidc/nowhere',
      '/oidc/auth/x',
      '/oidc/jwks',
      '/oidc/interaction/x',
      '/sso/api/session',
      '/sso/api/x',
    ]) {
      const answer = await browser.visit(path)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src 'none'/)
      expect(policy).not.toMatch(/unsafe|\*/)
      expect(policy).toMatch(/frame-ancestors '(none|self)'/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('resumes nothing for a browser that requested nothing', async () => {
    const answer = await new TestBrowser(server.origin).visit('/oidc/auth/abc')
    expect(answer.status).toBe(400)
    expect(answer.text).not.toMatch(/<script|style=/)
  })
})
