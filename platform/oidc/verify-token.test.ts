import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { badTokens } from '@pc/testing/system/forged-tokens.ts'
import { addUser, type IdentityServer, identityServer, TEST_KEYRING } from '@pc/testing/system/identity-server.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../clock.ts'
import { SYSTEM } from '../postgres/database.ts'
import { authenticator } from './authenticate.ts'
import { signingKeys } from './signing-keys.ts'

type Json = Record<string, unknown>
let db: TestDatabase
let server: IdentityServer
let token: string
let uid: string
let otherUid: string
let kid: string
let fetches = 0

const canary = createServer((_req, res) => {
  fetches++
  res.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}')
})
beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database)
  uid = await addUser(db.database, { email: 'taro@example.jp', roles: ['admin'] })
  otherUid = await addUser(db.database, { email: 'hana@example.jp', roles: ['admin'] })
  const answer = await server.identity.mintToken('taro@example.jp')
  token = 'token' in answer.body ? answer.body.token : ''
  kid = String(decodeProtectedHeader(token).kid)
  await new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  canary.close()
  await server?.close()
  await db?.drop()
})

const who = (bearer: string) => server.identity.authenticate(`Bearer ${bearer}`)

describe('the bearer', () => {
  it('is accepted when it is good, whatever else its header says about keys', async () => {
    expect((await who(token))?.uid).toBe(uid)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', kid })
    expect((await server.identity.authenticate(`bearer ${token}`))?.uid).toBe(uid)
  })

  it('is refused in at least 48 forged and 16 really signed wrong forms, and no key is fetched', async () => {
    const { port } = canary.address() as AddressInfo
    const good = { token, issuer: server.config.oidcIssuer, origin: server.origin, otherUid }
    const { forged, wrong } = await badTokens(
      { database: db.database, keyring: TEST_KEYRING },
      good,
      `http://127.0.0.1:${port}/jwks`,
    )
    expect(forged.length).toBeGreaterThanOrEqual(48)
    expect(wrong.length).toBeGreaterThanOrEqual(16)
    for (const [name, bearer] of [...forged, ...wrong]) expect(await who(bearer), name).toBeUndefined()
    expect(fetches).toBe(0)
  })

  it('is read from the Authorization header alone, in one form', async () => {
    for (const header of [
      undefined,
      '',
      token,
      `Basic ${token}`,
      `Bearer  ${token}`,
      `Bearer ${token} `,
      `Bearer ${token}, x`,
    ]) {
      expect(await server.identity.authenticate(header)).toBeUndefined()
    }
  })

  it('outlives its session never, itself ten minutes at most', async () => {
    const clock = fixedClock(new Date().toISOString())
    const authenticate = authenticator({
      database: db.database,
      clock,
      keys: signingKeys(db.database, clock, { keyring: TEST_KEYRING, isAlone: true }),
      issuer: server.config.oidcIssuer,
      isEmbedded: true,
      audience: 'console',
    })
    expect(await authenticate(`Bearer ${token}`)).toBeDefined()
    clock.set(new Date(Date.now() + 607_000).toISOString())
    expect(await authenticate(`Bearer ${token}`)).toBeUndefined()
  })

  it('stays good when the signing key is rotated; new ones are signed with the new key', async () => {
    await server.identity.issuer?.rotateSigningKey()
    const answer = await server.identity.mintToken('taro@example.jp')
    const next = 'token' in answer.body ? answer.body.token : ''
    expect(decodeProtectedHeader(next).kid).not.toBe(kid)
    expect((await who(next))?.uid).toBe(uid)
    expect((await who(token))?.uid).toBe(uid)
    const published = (await (await fetch(`${server.origin}/oidc/jwks`)).json()) as { keys: Json[] }
    expect(published.keys.map(key => key.kid)).toEqual([decodeProtectedHeader(next).kid, kid])
    expect(published.keys.every(key => key.d === undefined && key.p === undefined)).toBe(true)
  })

  it('is made by the command only for an enabled user', async () => {
    expect((await server.identity.mintToken('nobody@example.jp')).status).toBe(404)
    expect((await server.identity.mintToken(undefined)).status).toBe(400)
    await db.database.inScope(SYSTEM, tx => sql`update users set enabled = false where uid = ${uid}::uuid`.execute(tx))
    expect((await server.identity.mintToken('taro@example.jp')).status).toBe(404)
    await db.database.inScope(SYSTEM, tx => sql`update users set enabled = true where uid = ${uid}::uuid`.execute(tx))
  })
})
