import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { systemClock } from '@pc/platform/clock.ts'
import { publicJwk, signingKeys } from '@pc/platform/oidc/signing-keys.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { Keyring } from '@pc/platform/secrets/keyring.ts'

type Json = Record<string, unknown>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const part = (token: string, at: number) =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Json

function signed(header: Json, payload: Json, key: KeyObject): string {
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key).toString('base64url')}`
}

export interface BadTokens {
  /** Made without the issuer's key. */
  readonly forged: readonly (readonly [name: string, token: string])[]
  /** Signed with the issuer's own key: only the content is wrong. */
  readonly wrong: readonly (readonly [name: string, token: string])[]
}

export interface GoodToken {
  readonly token: string
  readonly issuer: string
  readonly origin: string
  /** Another existing user. */
  readonly otherUid: string
}

/**
 * Tokens that attackers have sent, derived from a good one (RFC 8725 and known attacks on JOSE libraries).
 * @param keyAddress an address from which keys must never be fetched
 */
export async function badTokens(
  { database, keyring }: { readonly database: Database; readonly keyring: Keyring | undefined },
  good: GoodToken,
  keyAddress: string,
): Promise<BadTokens> {
  const keys = signingKeys(database, systemClock, { keyring, isAlone: true })
  const [key] = (await keys.current()).signing
  if (!key) throw new Error('the issuer has no key')
  const signingKey = createPrivateKey({ key: key.privateJwk as JsonWebKey, format: 'jwk' })
  const publicPem = createPublicKey({ key: publicJwk(key) as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString()
  return {
    forged: forgedTokens(good.token, publicPem, keyAddress),
    wrong: wrongTokens(good, signingKey),
  }
}

function forgedTokens(token: string, publicPem: string, url: string): [string, string][] {
  const kid = String(part(token, 0).kid)
  const header = { alg: 'RS256', kid }
  const payload = part(token, 1)
  const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const attackerJwk = () => ({
    ...(attacker.publicKey.export({ format: 'jwk' }) as Json),
    kid,
    alg: 'RS256',
    use: 'sig',
  })
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

/** Tokens signed with the real key, with wrong content. */
function wrongTokens(good: GoodToken, signingKey: KeyObject): [string, string][] {
  const kid = String(part(good.token, 0).kid)
  const payload = part(good.token, 1)
  const uid = String(payload.sub)
  const iat = Math.floor(Date.now() / 1000)
  const really = (change: Json, header: Json = {}) =>
    signed({ alg: 'RS256', kid, ...header }, { ...payload, ...change }, signingKey)
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
    ['issuer with a slash', really({ iss: `${good.issuer}/` })],
    ['the origin as issuer', really({ iss: good.origin })],
    ['issuers', really({ iss: [good.issuer] })],
    ['crit', really({}, { crit: ['exp'] })],
    ['unknown crit', really({}, { crit: ['x'], x: 1 })],
    ['b64 false', really({}, { crit: ['b64'], b64: false })],
    ['logout token', really({}, { typ: 'logout+jwt' })],
    ['access token', really({}, { typ: 'at+jwt' })],
    ['sid of nobody', really({ sid: 'nobody' })],
    ['sid as list', really({ sid: [payload.sid] })],
    ['sub as list', really({ sub: [uid] })],
    ['sub of nobody', really({ sub: '00000000-0000-7000-8000-000000000000' })],
    ['sub of somebody else', really({ sub: good.otherUid })],
    ...subs,
  ] as [string, string][]
}
