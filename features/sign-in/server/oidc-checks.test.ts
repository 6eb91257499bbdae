import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { atItsOwnOrigin, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * The issuer from outside, over HTTP, as the tests of the OpenID Foundation and RFC 9700 examine one (security, figure
 * 17).
 */
const PASSWORD = 'the right words here'
let system: SystemUnderTest
let origin: string
let browser: TestBrowser
let uid: string
let email: string

beforeAll(async () => {
  const env = await atItsOwnOrigin()
  system = await startSystemUnderTest(env)
  origin = env.WEB_ORIGIN
  ;({ uid, email } = system.rows.users['insight:viewer'])
  const passwordHash = await hashPassword(PASSWORD)
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute(),
  )
  browser = new TestBrowser(origin)
  expect((await browser.api('sign-in', { email, password: PASSWORD })).status).toBe(200)
})
afterAll(() => system?.close())

type Json = Record<string, unknown>
const readJson = async (path: string, init?: RequestInit) =>
  (await (await fetch(`${origin}${path}`, init)).json()) as Json

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
type Change = Readonly<Record<string, string | undefined>>
function authorize(change: Change = {}, by = browser) {
  const requested: Change = {
    client_id: 'console',
    response_type: 'code',
    redirect_uri: `${origin}/gpc/callback`,
    scope: 'openid email',
    state: 's',
    nonce: 'n',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...change,
  }
  const given = Object.entries(requested).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return by.visit(`/oidc/auth?${new URLSearchParams(given)}`)
}
const codeOf = (location: string | undefined) => new URL(location ?? origin).searchParams.get('code')
const newCode = async () => codeOf((await authorize()).location) ?? ''
const ask = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${origin}/oidc/${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
const exchange = async (change: Record<string, string> = {}) =>
  ask('token', {
    grant_type: 'authorization_code',
    client_id: 'console',
    code: await newCode(),
    redirect_uri: `${origin}/gpc/callback`,
    code_verifier: verifier,
    ...change,
  })
const tokens = async () => (await (await exchange()).json()) as Record<string, string>
const decoded = (token = '', at = 1) =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Json

type Check = readonly [name: string, holds: () => boolean | Promise<boolean>]

async function discoveryChecks(): Promise<Check[]> {
  const found = await readJson('/oidc/.well-known/openid-configuration')
  const poisoned = await readJson('/oidc/.well-known/openid-configuration', {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
  })
  const is = (name: string, ...values: string[]): Check => [
    `announces ${name} ${values.join(' ')}`,
    () => JSON.stringify(found[name]) === JSON.stringify(values),
  ]
  const lacks = (name: string): Check => [`announces no ${name}`, () => found[name] === undefined]
  const at = (name: string, path: string): Check => [`${name} is ours`, () => found[name] === `${origin}/oidc${path}`]
  return [
    ['the issuer is the address asked', () => found.issuer === `${origin}/oidc`],
    at('authorization_endpoint', '/auth'),
    at('token_endpoint', '/token'),
    at('jwks_uri', '/jwks'),
    at('userinfo_endpoint', '/me'),
    at('revocation_endpoint', '/token/revocation'),
    at('end_session_endpoint', '/session/end'),
    is('response_types_supported', 'code'),
    is('code_challenge_methods_supported', 'S256'),
    is('id_token_signing_alg_values_supported', 'RS256'),
    is('token_endpoint_auth_methods_supported', 'none'),
    is('grant_types_supported', 'authorization_code', 'refresh_token'),
    is('subject_types_supported', 'public'),
    ['names the issuer in answers', () => found.authorization_response_iss_parameter_supported === true],
    ['takes no request objects', () => found.request_parameter_supported !== true],
    ['takes no request objects by address', () => found.request_uri_parameter_supported !== true],
    lacks('registration_endpoint'),
    lacks('device_authorization_endpoint'),
    lacks('pushed_authorization_request_endpoint'),
    lacks('introspection_endpoint'),
    lacks('backchannel_authentication_endpoint'),
    ['says the same behind forged proxy headers', () => JSON.stringify(poisoned) === JSON.stringify(found)],
  ]
}

async function keyChecks(): Promise<Check[]> {
  const { keys } = (await readJson('/oidc/jwks')) as { keys: Json[] }
  const all = (name: string, holds: (key: Json) => boolean): Check => [`every key ${name}`, () => keys.every(holds)]
  return [
    ['there are keys', () => keys.length > 0],
    all('is RSA', key => key.kty === 'RSA'),
    all('is for RS256', key => key.alg === 'RS256'),
    all('is for signatures', key => key.use === 'sig'),
    all('has 3072 bits or more', key => Buffer.from(String(key.n), 'base64url').length >= 384),
    all('has an id', key => typeof key.kid === 'string' && key.kid.length > 7),
    all('is public only', key => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].every(part => key[part] === undefined)),
    all('names no address', key => key.x5u === undefined && key.jku === undefined),
    ['their ids differ', () => new Set(keys.map(key => key.kid)).size === keys.length],
  ]
}

function redirectChecks(): Check[] {
  const bad: Change[string][] = [
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
    `${origin}/gpc/%63allback`,
    `${origin}.evil.example/gpc/callback`,
    `${origin}@evil.example/gpc/callback`,
    `${origin.replace('http:', 'https:')}/gpc/callback`,
    `${origin.replace('127.0.0.1', 'localhost')}/gpc/callback`,
    '/gpc/callback',
    '//evil.example',
    'javascript:alert(1)',
    `${origin}/gpc/callback\\@evil.example`,
    `${origin}/`,
    `http://user:pw@${origin.slice(7)}/gpc/callback`,
  ]
  return bad.map(
    (redirect_uri): Check => [
      `no redirect to ${redirect_uri}`,
      async () => {
        const { status, location, text } = await authorize({ redirect_uri })
        return status === 400 && location === undefined && !text.includes('evil.example')
      },
    ],
  )
}

function requestChecks(): Check[] {
  const gives = async (change: Change) => {
    const answer = await authorize(change)
    return { code: codeOf(answer.location), url: new URL(answer.location ?? origin), status: answer.status }
  }
  const refuses = (name: string, change: Change): Check => [
    `no code for ${name}`,
    async () => {
      const { code, url } = await gives(change)
      return code === null && !url.hash.includes('token') && url.origin === origin
    },
  ]
  return [
    ...['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token', 'none'].map(type =>
      refuses(`response type ${type}`, { response_type: type }),
    ),
    refuses('no PKCE', { code_challenge: undefined, code_challenge_method: undefined }),
    refuses('plain PKCE', { code_challenge_method: 'plain' }),
    refuses('PKCE without its method', { code_challenge_method: undefined }),
    refuses('a challenge of one letter', { code_challenge: 'x' }),
    refuses('response mode fragment', { response_mode: 'fragment' }),
    refuses('response mode form_post', { response_mode: 'form_post' }),
    refuses('a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }),
    refuses('a request object by address', { request_uri: 'https://evil.example/' }),
    refuses('another client', { client_id: 'other' }),
    refuses('no client', { client_id: undefined }),
    refuses('prompt=consent', { prompt: 'consent' }),
    refuses('prompt=login, though a session lives', { prompt: 'login' }),
    refuses('a session that is too old for max_age=0', { max_age: '0' }),
    refuses('a scope without openid', { scope: 'email' }),
    [
      'a stranger is asked to sign in',
      async () =>
        (await authorize({}, new TestBrowser(origin))).location?.startsWith(`${origin}/sso#/signin/`) ?? false,
    ],
    [
      'a stranger is not asked with prompt=none',
      async () =>
        new URL((await authorize({ prompt: 'none' }, new TestBrowser(origin))).location ?? origin).searchParams.get(
          'error',
        ) === 'login_required',
    ],
    ['state comes back', async () => (await gives({ state: 'a b&c=d' })).url.searchParams.get('state') === 'a b&c=d'],
    ['the answer names its issuer', async () => (await gives({})).url.searchParams.get('iss') === `${origin}/oidc`],
    ['a code has 128 bits', async () => ((await gives({})).code ?? '').length >= 22],
    ['no code by POST', async () => (await browser.visit('/oidc/auth', { method: 'POST' })).status === 404],
  ]
}

function tokenChecks(): Check[] {
  const refused = async (answer: Response) => answer.status >= 400 && answer.status < 500
  const wrong = (name: string, change: Record<string, string>): Check => [
    `no token for ${name}`,
    async () => refused(await exchange(change)),
  ]
  return [
    wrong('another verifier', { code_verifier: 'x'.repeat(43) }),
    wrong('an empty verifier', { code_verifier: '' }),
    wrong('another redirect address', { redirect_uri: `${origin}/gpc/silent-callback` }),
    wrong('no redirect address', { redirect_uri: '' }),
    wrong('another client', { client_id: 'other' }),
    wrong('a code that was never given', { code: randomBytes(32).toString('base64url') }),
    ...['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'].map(grant =>
      wrong(`grant type ${grant}`, { grant_type: grant, username: email, password: PASSWORD }),
    ),
    ['no token by GET', async () => refused(await fetch(`${origin}/oidc/token?grant_type=refresh_token`))],
    [
      'no token for JSON',
      async () =>
        refused(await fetch(`${origin}/oidc/token`, { method: 'POST', body: '{"grant_type":"refresh_token"}' })),
    ],
    ['tokens are not kept by caches', async () => (await exchange()).headers.get('cache-control') === 'no-store'],
    [
      'a code gives tokens once, and its second use ends them',
      async () => {
        const code = await newCode()
        const first = (await (await exchange({ code })).json()) as Record<string, string>
        const again = await exchange({ code })
        const refresh = await ask('token', {
          grant_type: 'refresh_token',
          client_id: 'console',
          refresh_token: first.refresh_token ?? '',
        })
        return again.status === 400 && refresh.status === 400
      },
    ],
  ]
}

async function idTokenChecks(): Promise<Check[]> {
  const { id_token = '', access_token = '' } = await tokens()
  const [head = '', body = '', signature = ''] = id_token.split('.')
  const claims = decoded(id_token)
  const header = decoded(id_token, 0)
  const { keys } = (await readJson('/oidc/jwks')) as { keys: Json[] }
  const key = keys.find(each => each.kid === header.kid)
  const now = Date.now() / 1000
  const me = (bearer: string) =>
    readJson('/oidc/me', { headers: { authorization: `Bearer ${bearer}` } }).catch(() => ({}) as Json)
  return [
    [
      'the ID token is signed by a published key',
      () =>
        verify(
          'RSA-SHA256',
          Buffer.from(`${head}.${body}`),
          createPublicKey({ key: key as JsonWebKey, format: 'jwk' }),
          Buffer.from(signature, 'base64url'),
        ),
    ],
    ['alg is RS256', () => header.alg === 'RS256'],
    ['iss is the issuer', () => claims.iss === `${origin}/oidc`],
    ['aud is the client alone', () => claims.aud === 'console'],
    ['sub is the user', () => claims.sub === uid],
    ['nonce is the request’s', () => claims.nonce === 'n'],
    ['sid is there', () => typeof claims.sid === 'string'],
    ['it lives ten minutes at most', () => Number(claims.exp) - Number(claims.iat) <= 600],
    ['it was issued now', () => Math.abs(Number(claims.iat) - now) < 30],
    ['the address is a verified one', () => claims.email === email && claims.email_verified === true],
    [
      'it carries no more than it must',
      () =>
        Object.keys(claims).every(name =>
          [
            'iss',
            'aud',
            'sub',
            'nonce',
            'sid',
            'exp',
            'iat',
            'auth_time',
            'at_hash',
            'email',
            'email_verified',
          ].includes(name),
        ),
    ],
    ['userinfo is the same person', async () => (await me((await tokens()).access_token ?? '')).sub === uid],
    ['the ID token opens no userinfo', async () => (await me(id_token)).sub === undefined],
    [
      'the access token opens no API',
      async () =>
        (await system.ask('iam', '{ viewer { uid } }', access_token)).json.errors?.[0]?.extensions.code ===
        'UNAUTHENTICATED',
    ],
    [
      'the ID token opens the APIs',
      async () => (await system.ask('iam', '{ viewer { uid } }', id_token)).json.errors === undefined,
    ],
  ]
}

function refreshChecks(): Check[] {
  const refresh = (refresh_token = '', more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    ask('token', { grant_type: 'refresh_token', client_id: 'console', refresh_token, ...more }, headers)
  return [
    [
      'a refresh token rotates',
      async () => {
        const { refresh_token } = await tokens()
        const next = (await (await refresh(refresh_token)).json()) as Record<string, string>
        return next.refresh_token !== undefined && next.refresh_token !== refresh_token
      },
    ],
    [
      'a used one ends its family',
      async () => {
        const { refresh_token } = await tokens()
        const next = (await (await refresh(refresh_token)).json()) as Record<string, string>
        return (await refresh(refresh_token)).status === 400 && (await refresh(next.refresh_token)).status === 400
      },
    ],
    [
      'it asks for no wider scope',
      async () => {
        const { refresh_token } = await tokens()
        return (await refresh(refresh_token, { scope: 'openid email profile admin' })).status === 400
      },
    ],
    [
      'another client cannot use it',
      async () => (await refresh((await tokens()).refresh_token, { client_id: 'x' })).status >= 400,
    ],
    [
      'another site cannot use it',
      async () =>
        (await refresh((await tokens()).refresh_token, {}, { origin: 'https://evil.example' })).status === 400,
    ],
    [
      'a revoked one is dead',
      async () => {
        const { refresh_token = '' } = await tokens()
        await ask('token/revocation', { client_id: 'console', token: refresh_token })
        return (await refresh(refresh_token)).status === 400
      },
    ],
    [
      'revoking what is not known says nothing',
      async () => (await ask('token/revocation', { client_id: 'console', token: 'x' })).status === 200,
    ],
  ]
}

function signOutChecks(): Check[] {
  const end = (query: Record<string, string>, by = browser) =>
    by.visit(`/oidc/session/end?${new URLSearchParams(query)}`)
  const asks = (name: string, query: () => Record<string, string>): Check => [
    `signing out asks first: ${name}`,
    async () => (await end(query())).location === `${origin}/sso#/signout`,
  ]
  return [
    asks('no hint', () => ({})),
    asks('a broken hint', () => ({ id_token_hint: 'x' })),
    asks('a foreign address without a hint', () => ({ post_logout_redirect_uri: 'https://evil.example/' })),
    [
      'signing out with a hint ends the bearer at once',
      async () => {
        const own = new TestBrowser(origin)
        await own.api('sign-in', { email, password: PASSWORD })
        const code = codeOf((await authorize({}, own)).location) ?? ''
        const { id_token = '' } = (await (await exchange({ code })).json()) as Record<string, string>
        const isAlive = async () => (await system.ask('iam', '{ viewer { uid } }', id_token)).json.errors === undefined
        const before = await isAlive()
        const left = await end({ id_token_hint: id_token, post_logout_redirect_uri: `${origin}/gpc/` }, own)
        return before && left.location === `${origin}/gpc/` && !(await isAlive())
      },
    ],
  ]
}

test('at least 90 checks of the issuer, 0 wrong', async () => {
  const checks = [
    ...(await discoveryChecks()),
    ...(await keyChecks()),
    ...redirectChecks(),
    ...requestChecks(),
    ...tokenChecks(),
    ...(await idTokenChecks()),
    ...refreshChecks(),
    ...signOutChecks(),
  ]
  const wrong: string[] = []
  for (const [name, holds] of checks) if (!(await holds())) wrong.push(name)
  console.warn(`OpenID Connect: ${checks.length} checks, ${wrong.length} wrong`)
  expect(wrong).toEqual([])
  expect(checks.length).toBeGreaterThanOrEqual(90)
})

test('an independent client goes the whole way: discovery, code, refresh, userinfo, revocation, signing out', async () => {
  const options = { execute: [client.allowInsecureRequests] }
  const found = await client.discovery(new URL(`${origin}/oidc`), 'console', undefined, client.None(), options)
  const codeVerifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const address = client.buildAuthorizationUrl(found, {
    redirect_uri: `${origin}/gpc/callback`,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const visitor = new TestBrowser(origin)
  const requested = await visitor.visit(address.href)
  const path = decodeURIComponent(new URL(requested.location ?? '').hash.replace('#/signin/', ''))
  const { body } = await visitor.api('sign-in', { email, password: PASSWORD, originalPath: path })
  const back = await visitor.visit(body.location ?? '')
  const answer = await client.authorizationCodeGrant(found, new URL(back.location ?? ''), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  expect(answer.claims()?.sub).toBe(uid)
  expect((await client.fetchUserInfo(found, answer.access_token, uid)).email).toBe(email)
  const renewed = await client.refreshTokenGrant(found, answer.refresh_token ?? '')
  const viewer = await system.ask('iam', '{ viewer { uid } }', renewed.id_token)
  expect(viewer.json.data).toEqual({ viewer: { uid } })
  await client.tokenRevocation(found, renewed.refresh_token ?? '')
  await expect(client.refreshTokenGrant(found, renewed.refresh_token ?? '')).rejects.toThrow()
  const leaving = client.buildEndSessionUrl(found, {
    id_token_hint: renewed.id_token ?? '',
    post_logout_redirect_uri: `${origin}/gpc/`,
  })
  expect((await visitor.visit(leaving.href)).location).toBe(`${origin}/gpc/`)
})
