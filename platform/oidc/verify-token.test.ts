import {
  createHmac,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/identity-server.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../clock.ts'
import { SYSTEM } from '../postgres/database.ts'
import { authenticator } from './authenticate.ts'
import { publicJwk, signingKeys } from './signing-keys.ts'

type Json = Record<string, unknown>
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: Json, payload: Json, key: KeyObject): string {
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key).toString('base64url')}`
}

let db: TestDatabase
let server: IdentityServer
let token: string
let uid: string
let signingKey: KeyObject
let kid: string
let publicPem: string
let fetches = 0

const canary = createServer((_req, res) => {
  fetches++
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [attackerJwk()] }))
})
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 })
const attackerJwk = () => ({ ...(attacker.publicKey.export({ format: 'jwk' }) as Json), kid, alg: 'RS256', use: 'sig' })

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database)
  uid = await addUser(db.database, { email: 'taro@example.jp', roles: ['admin'] })
  const answer = await server.identity.mintToken('taro@example.jp')
  token = 'token' in answer.body ? answer.body.token : ''
  const [key] = (await signingKeys(db.database, fixedClock('2026-11-20T00:00Z')).current()).signing
  if (!key) throw new Error('no key')
  kid = key.kid
  const { createPrivateKey } = await import('node:crypto')
  signingKey = createPrivateKey({ key: key.privateJwk as JsonWebKey, format: 'jwk' })
  publicPem = createPublicKey({ key: publicJwk(key) as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString()
  await new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  canary.close()
  await server?.close()
  await db?.drop()
})

const who = (bearer: string) => server.identity.authenticate(`Bearer ${bearer}`)
const good = () => decodeJwt(token) as Json

function forged(): [string, string][] {
  const header = { alg: 'RS256', kid }
  const payload = good()
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/jwks`
  const content = (head: Json) => `${encode(head)}.${encode(payload)}`
  const hmac = (head: Json, secret: string) =>
    `${content(head)}.${createHmac('sha256', secret).update(content(head)).digest('base64url')}`
  const [h = '', p = '', s = ''] = token.split('.')
  const evil = (head: Json) => signed({ ...header, ...head }, payload, attacker.privateKey)
  const none = ['none', 'None', 'NONE', 'nOnE', ''].flatMap(alg => [
    [`alg ${alg}, no signature`, `${content({ alg })}.`],
    [`alg ${alg}, old signature`, `${content({ alg, kid })}.${s}`],
  ])
  const hs = ['HS256', 'HS384', 'HS512'].flatMap(alg => [
    [`${alg} with the public PEM`, hmac({ alg, kid }, publicPem)],
    [`${alg} with the trimmed PEM`, hmac({ alg, kid }, publicPem.trim())],
    [`${alg} with the modulus`, hmac({ alg, kid }, String((attackerJwk() as Json).n))],
    [`${alg} with an empty secret`, hmac({ alg, kid }, '')],
  ])
  const kids = [
    '../../../../dev/null',
    '/dev/null',
    "' or '1'='1",
    'x',
    '',
    '__proto__',
    'constructor',
    url,
    '%00',
  ].map(each => [`kid ${each}`, evil({ kid: each })])
  return [
    ...none,
    ...hs,
    ...kids,
    ['jwk in the header', evil({ jwk: attackerJwk() })],
    ['jwk in the header without kid', signed({ alg: 'RS256', jwk: attackerJwk() }, payload, attacker.privateKey)],
    ['jku', evil({ jku: url })],
    ['jku without kid', signed({ alg: 'RS256', jku: url }, payload, attacker.privateKey)],
    ['x5u', evil({ x5u: url })],
    ['x5c', evil({ x5c: ['MIIB'] })],
    ['kid as address', evil({ kid: url, jku: url })],
    ['kid as number', evil({ kid: 1 })],
    ['kid as list', evil({ kid: [kid] })],
    ['signature of another key', evil({})],
    ['no kid', signed({ alg: 'RS256' }, payload, attacker.privateKey)],
    ['RS384', `${content({ alg: 'RS384', kid })}.${s}`],
    ['PS256', `${content({ alg: 'PS256', kid })}.${s}`],
    ['zero ES256', `${content({ alg: 'ES256', kid })}.${Buffer.alloc(64).toString('base64url')}`],
    ['changed payload', `${h}.${encode({ ...payload, sub: '00000000-0000-7000-8000-000000000000' })}.${s}`],
    ['changed signature', `${h}.${p}.${s.slice(0, -4)}AAAA`],
    ['empty signature', `${h}.${p}.`],
    ['two parts', `${h}.${p}`],
    ['four parts', `${token}.x`],
    ['five parts', `${h}.${p}.${s}.${p}.${s}`],
    ['not base64', `${h}.%%.${s}`],
    ['empty', ''],
    ['JSON', JSON.stringify({ protected: h, payload: p, signature: s })],
    ['null header', `${encode(null)}.${p}.${s}`],
    ['list header', `${encode([header])}.${p}.${s}`],
    ['huge', `${h}.${p}${'A'.repeat(9000)}.${s}`],
  ] as [string, string][]
}

/** Signed with the real key: the content is wrong. */
function wrong(): [string, string][] {
  const iat = Math.floor(Date.now() / 1000)
  const really = (change: Json, header: Json = {}) =>
    signed({ alg: 'RS256', kid, ...header }, { ...good(), ...change }, signingKey)
  const subs = [
    '__proto__',
    'constructor',
    'prototype',
    '',
    ' ',
    'admin',
    `${uid}\u0000`,
    `${uid} `,
    uid.toUpperCase(),
    '*',
    '%',
  ].map(sub => [`sub ${sub}`, really({ sub })])
  return [
    ['expired', really({ iat: iat - 500, exp: iat - 60 })],
    ['expired long ago', really({ iat: 1, exp: 2 })],
    ['without exp', really({ exp: undefined })],
    ['without iat', really({ iat: undefined })],
    ['without sub', really({ sub: undefined })],
    ['without sid', really({ sid: undefined })],
    ['without aud', really({ aud: undefined })],
    ['without iss', really({ iss: undefined })],
    ['older than ten minutes, long exp', really({ iat: iat - 700, exp: iat + 9999 })],
    ['issued in the future', really({ iat: iat + 600, exp: iat + 900 })],
    ['not yet valid', really({ nbf: iat + 300 })],
    ['exp as text', really({ exp: '9999999999' })],
    ['iat as text', really({ iat: `${iat}` })],
    ['another audience', really({ aud: 'other' })],
    ['audience of another case', really({ aud: 'Console' })],
    ['several audiences', really({ aud: ['console', 'other'] })],
    ['empty audiences', really({ aud: [] })],
    ['another issuer', really({ iss: 'https://evil.example' })],
    ['issuer with a slash', really({ iss: `${server.config.oidcIssuer}/` })],
    ['the origin as issuer', really({ iss: server.origin })],
    ['issuers', really({ iss: [server.config.oidcIssuer] })],
    ['crit', really({}, { crit: ['exp'] })],
    ['unknown crit', really({}, { crit: ['x'], x: 1 })],
    ['b64 false', really({}, { crit: ['b64'], b64: false })],
    ['logout token', really({}, { typ: 'logout+jwt' })],
    ['access token', really({}, { typ: 'at+jwt' })],
    ['sid of nobody', really({ sid: 'nobody' })],
    ['sid as list', really({ sid: [good().sid] })],
    ['sub as list', really({ sub: [uid] })],
    ['sub of somebody else', really({ sub: '00000000-0000-7000-8000-000000000000' })],
    ...subs,
  ] as [string, string][]
}

describe('the bearer', () => {
  it('is accepted when it is good, whatever else its header says about keys', async () => {
    expect((await who(token))?.uid).toBe(uid)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', kid })
    expect((await server.identity.authenticate(`bearer ${token}`))?.uid).toBe(uid)
  })

  it('is refused in at least 48 forged and 16 really signed wrong forms, and no key is fetched', async () => {
    expect(forged().length).toBeGreaterThanOrEqual(48)
    expect(wrong().length).toBeGreaterThanOrEqual(16)
    for (const [name, bearer] of [...forged(), ...wrong()]) expect(await who(bearer), name).toBeUndefined()
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
      keys: signingKeys(db.database, clock),
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
