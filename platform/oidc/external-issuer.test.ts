import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM } from '../postgres/database.ts'
import { externalKeys } from './external-issuer.ts'

let db: TestDatabase
let server: IdentityServer
let provider: Server
let issuer: string
let requests: string[] = []
const keys: { kid: string; privateKey: CryptoKey; jwk: JWK }[] = []

async function addKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  keys.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } })
}

beforeAll(async () => {
  await addKey('k1')
  provider = createServer((req, res) => {
    requests.push(req.url ?? '')
    const bodies: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      },
      '/keys': { keys: keys.map(key => key.jwk) },
    }
    const body = bodies[req.url ?? '']
    res.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  db = await testDatabase()
  server = await identityServer(db.database, { env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'center' } })
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  provider?.close()
  await server?.close()
  await db?.drop()
})

interface Claims {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: unknown
  readonly sid?: string
  readonly auth_time?: unknown
  readonly acr?: unknown
}
function token(claims: Claims, kid = 'k1') {
  const key = keys.find(each => each.kid === kid)
  if (!key) throw new Error(kid)
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience('center')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key.privateKey)
}
const who = async (claims: Claims, kid?: string) => server.identity.authenticate(`Bearer ${await token(claims, kid)}`)

const bind = (uid: string, subject: string) =>
  db.database.inScope(SYSTEM, tx =>
    sql`update users set oidc_issuer = ${issuer}, oidc_subject = ${subject} where uid = ${uid}::uuid`.execute(tx),
  )

describe('an external issuer', () => {
  it('knows people by issuer and subject, and by no address that it claims', async () => {
    const uid = await addUser(db.database, { email: 'taro@example.jp', roles: ['insight:admin'] })
    // Neither a verified address nor a look-alike binds an account: only a link does, or the operator.
    for (const email of ['taro@example.jp', 'Taro@Example.jp', ' taro@example.jp', 'ｔaro@example.jp'])
      for (const email_verified of [undefined, false, 'true', 1, true])
        expect(await who({ sub: 'google|1', email, email_verified }), `${email} ${email_verified}`).toBeUndefined()
    await bind(uid, 'google|1')
    const person = { uid, email: 'taro@example.jp', roles: ['insight:admin'], organizationId: null, sessionUid: null }
    expect(await who({ sub: 'google|1' })).toMatchObject(person)
    expect((await who({ sub: 'google|1', email: 'other@example.jp', email_verified: true }))?.uid).toBe(uid)
    expect(await who({ sub: 'google|2', email: 'taro@example.jp', email_verified: true })).toBeUndefined()
    for (const sub of ['__proto__', 'constructor', '', ' ', 'a\nb', 'x'.repeat(300)])
      expect(await who({ sub })).toBeUndefined()
  })

  it('says when the person signed in, never later than its token was made', async () => {
    await bind(await addUser(db.database, { email: 'jiro@example.jp' }), 'jiro')
    const now = Math.floor(Date.now() / 1000)
    expect((await who({ sub: 'jiro' }))?.signedInAtMs).toBeUndefined()
    expect((await who({ sub: 'jiro', auth_time: 'now' }))?.signedInAtMs).toBeUndefined()
    expect((await who({ sub: 'jiro', auth_time: now - 700 }))?.signedInAtMs).toBe((now - 700) * 1000)
    expect((await who({ sub: 'jiro', auth_time: now + 86_400 }))?.signedInAtMs).toBeLessThanOrEqual(Date.now())
  })

  it('has to say the level that a step-up asks for, exactly and as a text', async () => {
    await bind(await addUser(db.database, { email: 'saburo@example.jp' }), 'saburo')
    expect((await who({ sub: 'saburo' }))?.lacksStepUpAcr).toBeUndefined()
    const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'center', OIDC_STEP_UP_ACR: 'phr urn:company:gold' }
    const strict = await identityServer(db.database, { env })
    try {
      const lacks = async (acr: unknown) => {
        const person = await strict.identity.authenticate(`Bearer ${await token({ sub: 'saburo', acr })}`)
        return person?.lacksStepUpAcr ?? false
      }
      for (const acr of ['phr', 'urn:company:gold']) expect(await lacks(acr), acr).toBe(false)
      for (const acr of [undefined, null, '', '0', 'phrh', 'PHR', 'phr urn:company:gold', ['phr'], 1])
        expect(await lacks(acr), JSON.stringify(acr)).toBe(true)
      // The browser asks for them.
      const info = JSON.parse((await new TestBrowser(strict.origin).api('session')).text)
      expect(info.provider).toMatchObject({ stepUpAcr: 'phr urn:company:gold' })
    } finally {
      await strict.close()
    }
  })

  it('is followed by disabling, "sign out everywhere" and signing out here', async () => {
    const uid = await addUser(db.database, { email: 'hana@example.jp' })
    await bind(uid, 'hana')
    const claims = { sub: 'hana', sid: 's-1' }
    const set = (part: string) =>
      db.database.inScope(SYSTEM, tx => sql`update users set ${sql.raw(part)} where uid = ${uid}::uuid`.execute(tx))
    expect(await who(claims)).toBeDefined()
    await set('enabled = false')
    expect(await who(claims)).toBeUndefined()
    await set('enabled = true')
    await set("sessions_valid_from = now() + interval '1 minute'")
    expect(await who(claims)).toBeUndefined()
    await set("sessions_valid_from = '-infinity'")
    expect(await who(claims)).toBeDefined()
    const browser = new TestBrowser(server.origin)
    await browser.api('sign-out', {}, { authorization: `Bearer ${await token(claims)}` })
    expect(await who(claims)).toBeUndefined()
    expect(await who({ ...claims, sid: 's-2' })).toBeDefined()
  })

  it('may rotate its keys; unknown ones are fetched once in a while, not per token', async () => {
    await bind(await addUser(db.database, { email: 'kate@example.jp' }), 'kate')
    const kate = { sub: 'kate' }
    expect(await who(kate)).toBeDefined()
    await addKey('k2')
    requests = []
    const forged = Array.from({ length: 50 }, () => who(kate, 'k2'))
    await Promise.all(forged)
    expect(requests.length).toBeLessThanOrEqual(1)
    const fresh = externalKeys(issuer)
    expect(await fresh('k2')).toBeDefined()
    expect(await fresh('k3')).toBeUndefined()
  })

  it('leaves passwords to itself', async () => {
    const browser = new TestBrowser(server.origin)
    const info = JSON.parse((await browser.api('session')).text)
    expect(info.provider).toEqual({
      kind: 'external',
      issuer,
      clientId: 'center',
      redirectUri: `${server.origin}/gpc/callback`,
    })
    for (const name of ['sign-in', 'change-pass', 'change-email', 'change-email/confirm', 'first-admin']) {
      expect((await browser.api(name, { email: 'a@example.jp', password: 'x' })).body.refusals?.[0]?.code).toBe(
        'sign-in/not-here',
      )
    }
    expect((await browser.visit('/oidc/auth')).status).toBe(404)
    expect((await server.identity.mintToken('taro@example.jp')).status).toBe(409)
  })

  it('that cannot be reached is a fault, and is tried again later, not at every request', async () => {
    const gone = externalKeys('http://127.0.0.1:9')
    for (let n = 0; n < 20; n++) await expect(gone('k')).rejects.toThrow('cannot be used')
    let requests = 0
    const broken = createServer((_req, res) => {
      requests += 1
      res.writeHead(500).end()
    })
    await new Promise<void>(resolve => broken.listen(0, '127.0.0.1', resolve))
    const failing = externalKeys(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`)
    for (let n = 0; n < 20; n++) await expect(failing('k')).rejects.toThrow('cannot be used')
    expect(requests).toBe(1)
    broken.close()
    const liar = createServer((_req, res) =>
      res.end(
        JSON.stringify({
          issuer: 'https://other.example',
          authorization_endpoint: issuer,
          token_endpoint: issuer,
          jwks_uri: `${issuer}/keys`,
        }),
      ),
    )
    await new Promise<void>(resolve => liar.listen(0, '127.0.0.1', resolve))
    await expect(externalKeys(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`)('k1')).rejects.toThrow(
      'cannot be used',
    )
    liar.close()
  })
})
