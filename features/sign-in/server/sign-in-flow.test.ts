import { endSessionsOf } from '@pc/platform/oidc/session-rows.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { consoleClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONSOLE_CALLBACK_PATH } from '../links.ts'

const PASSWORD = '正しい馬の電池とホチキス'
/** A long run makes 1,000 sign-ins. */
const ROUNDS = sampleOr(30, 1_000)
let db: TestDatabase
let server: IdentityServer
let taro: string

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database)
  taro = await addUser(db.database, { email: 'taro@example.jp', password: PASSWORD, roles: ['insight:viewer'] })
  await addUser(db.database, { email: 'hana@example.jp', password: PASSWORD })
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

const signInAs = async (email: string, browser = new TestBrowser(server.origin)) => {
  const answer = await browser.api('sign-in', { email, password: PASSWORD, originalPath: '/gpc/' })
  expect(answer.status).toBe(200)
  return browser
}
const idTokenOf = async (browser: TestBrowser) =>
  (await silentTokens(browser, consoleClient(server.origin))).id_token ?? ''
const who = (token: string) => server.identity.authenticate(`Bearer ${token}`)
const refresh = (token: string, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/oidc/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'console', refresh_token: token }),
  })
const update = (query: ReturnType<typeof sql>) => db.database.inScope(SYSTEM, tx => query.execute(tx))

describe('signing in', () => {
  it('goes the whole way of an authorisation request, with an independent client', async () => {
    const browser = new TestBrowser(server.origin)
    const client = consoleClient(server.origin)
    const request = await client.createSigninRequest({ state: { at: '/gpc/#/users' }, nonce: 'n-1' })
    const requested = await browser.visit(request.url)
    expect(requested.status).toBe(303)
    const screen = new URL(requested.location ?? '')
    expect(screen.origin + screen.pathname).toBe(`${server.origin}/sso`)
    const path = decodeURIComponent(screen.hash.replace('#/signin/', ''))
    expect(path).toMatch(/^\/oidc\/auth\/[\w-]+$/)

    const wrong = await browser.api('sign-in', { email: 'taro@example.jp', password: 'x', originalPath: path })
    expect([wrong.status, wrong.body.refusals?.[0]?.code]).toEqual([401, 'sign-in/wrong-credentials'])
    const right = await browser.api('sign-in', { email: ' Ｔaro@Example.JP ', password: PASSWORD, originalPath: path })
    expect([right.status, right.body.location]).toEqual([200, path])

    const resumed = await browser.visit(path)
    const tokens = await client.processSigninResponse(resumed.location ?? '')
    expect(tokens.userState).toEqual({ at: '/gpc/#/users' })
    const jwks = createRemoteJWKSet(new URL(`${server.origin}/oidc/jwks`))
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token ?? '', jwks, {
      issuer: server.config.oidcIssuer,
      audience: 'console',
      algorithms: ['RS256'],
    })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({ sub: taro, email: 'taro@example.jp', email_verified: true, nonce: 'n-1' })
    expect(payload.sid).toEqual(expect.any(String))
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(600)
    expect(await who(tokens.id_token ?? '')).toEqual({
      uid: taro,
      email: 'taro@example.jp',
      roles: ['insight:viewer'],
      organizationId: null,
      sessionUid: payload.sid,
      sessionKey: payload.sid,
      impersonatedUid: null,
      secondFactor: 'missing',
      secondFactorDueAt: null,
    })
  })

  it('goes the short way from the console, then silently without a question', async () => {
    const browser = new TestBrowser(server.origin)
    const none = await silentTokens(browser, consoleClient(server.origin)).catch(error => error)
    expect(none.error).toBe('login_required')
    const path = '/gpc/#/reports/articles/month=2026-10'
    const answer = await browser.api('sign-in', {
      email: 'taro@example.jp',
      password: PASSWORD,
      originalPath: encodeURIComponent(path),
    })
    expect(answer.body.location).toBe(path)
    expect((await who(await idTokenOf(browser)))?.email).toBe('taro@example.jp')
    const info = await browser.api('session')
    expect(info.body.user).toEqual({ email: 'taro@example.jp', mustEnrol: false })
    expect(info.headers.get('cache-control')).toBe('no-store')
  })

  it('never sends anybody to a foreign address', async () => {
    for (const originalPath of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      7,
    ]) {
      const browser = new TestBrowser(server.origin)
      const answer = await browser.api('sign-in', { email: 'taro@example.jp', password: PASSWORD, originalPath })
      expect(answer.body.location).toBe('/gpc/')
    }
  })

  it('says clearly when the request has expired, and signs nobody in', async () => {
    const browser = new TestBrowser(server.origin)
    const requested = await browser.visit((await consoleClient(server.origin).createSigninRequest({})).url)
    const path = decodeURIComponent(new URL(requested.location ?? '').hash.replace('#/signin/', ''))
    browser.forgetCookies(/interaction/)
    const answer = await browser.api('sign-in', { email: 'taro@example.jp', password: PASSWORD, originalPath: path })
    expect([answer.status, answer.body.refusals?.[0]?.code]).toEqual([410, 'sign-in/request-expired'])
    expect((await browser.api('session')).body.user).toBeNull()
  })

  it('gives another person a session of their own in the same browser', async () => {
    const browser = await signInAs('taro@example.jp')
    const before = await idTokenOf(browser)
    const client = consoleClient(server.origin)
    const requested = await browser.visit((await client.createSigninRequest({ prompt: 'login', nonce: 'n' })).url)
    const path = decodeURIComponent(new URL(requested.location ?? '').hash.replace('#/signin/', ''))
    await browser.api('sign-in', { email: 'hana@example.jp', password: PASSWORD, originalPath: path })
    const resumed = await browser.visit(path)
    const tokens = await client.processSigninResponse(resumed.location ?? '')
    expect((await who(tokens.id_token ?? ''))?.email).toBe('hana@example.jp')
    expect(decodeJwt(tokens.id_token ?? '').sid).not.toBe(decodeJwt(before).sid)
    expect(await who(before)).toBeUndefined()
  })

  it('marks its cookies HttpOnly and SameSite, and Secure when the origin is https', async () => {
    const browser = await signInAs('taro@example.jp')
    const session = browser.cookies.find(cookie => cookie.name === 'pc_session')
    expect(session?.attributes.toLowerCase()).toMatch(/path=\/; .*samesite=lax; .*httponly|httponly.*samesite=lax/)
    const secured = await identityServer(db.database, { env: { WEB_ORIGIN: 'https://center.example.jp' } })
    const answer = await fetch(`${secured.origin}/sso/api/sign-in`, {
      method: 'POST',
      headers: { origin: 'https://center.example.jp', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'taro@example.jp', password: PASSWORD }),
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('strict-transport-security')).toMatch(/max-age/)
    const request = await consoleClient(server.origin).createSigninRequest({ state: {}, nonce: 'n-2' })
    const { pathname, search } = new URL(request.url)
    const requested = new URL(pathname + search, secured.origin)
    requested.searchParams.set('redirect_uri', `https://center.example.jp${CONSOLE_CALLBACK_PATH}`)
    const begun = await fetch(requested, { redirect: 'manual' })
    expect(begun.status).toBe(303)
    const cookies = [...answer.headers.getSetCookie(), ...begun.headers.getSetCookie()]
    const names = cookies.map(line => line.split('=', 1)[0])
    expect(names).toEqual(
      expect.arrayContaining([
        '__Host-pc_session',
        '__Secure-pc_device',
        '__Secure-pc_interaction',
        '__Secure-pc_resume',
      ]),
    )
    for (const line of cookies) expect(line).toMatch(/^__(Host|Secure)-.*; secure/i)
    await secured.close()
  })
})

describe('the end of a session', () => {
  it('comes with signing out: the next use of the bearer is refused', async () => {
    const browser = await signInAs('taro@example.jp')
    const other = await signInAs('taro@example.jp')
    const [token, otherToken] = [await idTokenOf(browser), await idTokenOf(other)]
    expect(await who(token)).toBeDefined()
    await browser.api('sign-out', {})
    expect(await who(token)).toBeUndefined()
    expect(await who(otherToken)).toBeDefined()
    expect((await browser.api('session')).body.user).toBeNull()
  })

  it('comes without a question for a good id_token_hint, even an expired one', async () => {
    const browser = await signInAs('taro@example.jp')
    const client = consoleClient(server.origin)
    const tokens = await silentTokens(browser, client)
    const request = await client.createSignoutRequest({ id_token_hint: tokens.id_token ?? '', state: { a: 1 } })
    const answer = await browser.visit(request.url)
    expect(answer.status).toBe(303)
    expect(answer.location).toMatch(new RegExp(`^${server.origin}/gpc/\\?state=`))
    expect(await who(tokens.id_token ?? '')).toBeUndefined()
    expect((await refresh(tokens.refresh_token ?? '')).status).toBe(400)
    const again = await silentTokens(browser, client).catch(error => error)
    expect(again.error).toBe('login_required')
  })

  it('is confirmed by the person without a hint, with a forged one, or with the hint of another session', async () => {
    const browser = await signInAs('taro@example.jp')
    const token = await idTokenOf(browser)
    const foreign = await idTokenOf(await signInAs('hana@example.jp'))
    const end = `${server.origin}/oidc/session/end`
    const [head, body] = token.split('.')
    const twice = `?id_token_hint=${token}&state=a&state=b`
    for (const hint of [
      twice,
      '',
      `?id_token_hint=${head}.${body}.AAAA`,
      `?id_token_hint=${foreign}`,
      '?id_token_hint=x',
    ]) {
      const answer = await browser.visit(`${end}${hint}`)
      expect(answer.location).toBe(`${server.origin}/sso#/signout`)
    }
    expect(await who(token)).toBeDefined()
    const evil = await browser.visit(`${end}?id_token_hint=${token}&post_logout_redirect_uri=https://evil.example/`)
    expect(evil.location).toBe(`${server.origin}/sso#/signout`)
    for (const path of ['/oidc/session/end/confirm', '/oidc/SESSION/END/confirm', '/oidc/session/end']) {
      expect((await browser.visit(path, { method: 'POST' })).status).toBe(405)
    }
  })

  it('comes with disabling, deletion and "sign out everywhere"; role changes act on the next request', async () => {
    const uid = await addUser(db.database, { email: 'jiro@example.jp', password: PASSWORD, roles: ['insight:admin'] })
    const browser = await signInAs('jiro@example.jp')
    const tokens = await silentTokens(browser, consoleClient(server.origin))
    const token = tokens.id_token ?? ''
    expect((await who(token))?.roles).toEqual(['insight:admin'])
    await update(sql`update user_roles set role_name = 'insight:viewer' where uid = ${uid}::uuid`)
    expect((await who(token))?.roles).toEqual(['insight:viewer'])

    await update(sql`update users set enabled = false where uid = ${uid}::uuid`)
    expect(await who(token)).toBeUndefined()
    expect((await refresh(tokens.refresh_token ?? '')).status).toBe(400)
    const silent = await silentTokens(browser, consoleClient(server.origin)).catch(error => error)
    expect(silent.error).toBe('login_required')
    await update(sql`update users set enabled = true where uid = ${uid}::uuid`)
    expect(await who(token)).toBeDefined()

    await update(sql`update users set sessions_valid_from = now() + interval '1 second' where uid = ${uid}::uuid`)
    expect(await who(token)).toBeUndefined()
    const renewed = await silentTokens(browser, consoleClient(server.origin)).catch(error => error)
    expect(renewed.error).toBe('login_required')
    await update(sql`update users set sessions_valid_from = '-infinity' where uid = ${uid}::uuid`)

    await db.database.inScope(SYSTEM, tx => endSessionsOf(tx, uid))
    expect(await who(token)).toBeUndefined()
    const back = await signInAs('jiro@example.jp')
    const fresh = await idTokenOf(back)
    expect(await who(fresh)).toBeDefined()
    await update(sql`delete from users where uid = ${uid}::uuid`)
    expect(await who(fresh)).toBeUndefined()
  })
})

describe('refresh tokens', () => {
  it('rotate; one used twice ends its family', async () => {
    const browser = await signInAs('taro@example.jp')
    const first = (await silentTokens(browser, consoleClient(server.origin))).refresh_token ?? ''
    const second = (await (await refresh(first)).json()) as { refresh_token: string; id_token: string }
    expect(second.refresh_token).not.toBe(first)
    expect(await who(second.id_token)).toBeDefined()
    expect((await refresh(first)).status).toBe(400)
    expect((await refresh(second.refresh_token)).status).toBe(400)
  })

  it(`never have two winners among ten parallel uses, in ${ROUNDS} rounds`, { timeout: 1_800_000 }, async () => {
    const browser = await signInAs('taro@example.jp')
    let winners = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { refresh_token } = await silentTokens(browser, consoleClient(server.origin))
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token ?? '')))
      const bodies = (await Promise.all(answers.map(each => each.json()))) as {
        refresh_token?: string
        error?: string
      }[]
      const won = bodies.filter(body => body.refresh_token)
      expect(won.length).toBeLessThanOrEqual(1)
      expect(bodies.every(body => body.refresh_token || body.error === 'invalid_grant')).toBe(true)
      winners += won.length
      for (const body of won) expect((await refresh(body.refresh_token ?? '')).status).toBe(400)
    }
    expect(winners).toBeLessThanOrEqual(ROUNDS)
  })

  it('answer to our own origin only', async () => {
    const browser = await signInAs('taro@example.jp')
    const { refresh_token } = await silentTokens(browser, consoleClient(server.origin))
    const foreign = await refresh(refresh_token ?? '', { origin: 'https://evil.example' })
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([400, null])
    const own = await refresh(refresh_token ?? '', { origin: server.origin })
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, server.origin])
    for (const origin of ['null', 'https://evil.example', `${server.origin}.evil.example`, 'http://127.0.0.1']) {
      for (const path of ['token', 'jwks', '.well-known/openid-configuration', 'me', 'token/revocation']) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const preflight = await fetch(`${server.origin}/oidc/${path}`, { method: 'OPTIONS', headers })
        expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
      }
    }
  })
})
