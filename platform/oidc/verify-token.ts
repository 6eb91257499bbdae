import { type CryptoKey, decodeProtectedHeader, errors, importJWK, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import { UUID } from './issuer-account.ts'
import { publicJwk, type SigningKeys } from './signing-keys.ts'

/** The claims of a verified, unexpired ID token. Whether its session still exists is checked in session-check.ts. */
export interface VerifiedToken {
  readonly issuer: string
  readonly subject: string
  /** Session at the issuer; always set for the embedded one. */
  readonly sid: string | undefined
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: string | undefined
  /** Authentication methods (RFC 8176); empty: the issuer does not say. */
  readonly amr: readonly string[]
  readonly acr: string | undefined
  /** Time of the sign-in at the issuer, in seconds since 1970; undefined: the issuer does not say. */
  readonly authTime: number | undefined
}

/** Why a token is rejected, for the operator's log. */
export type TokenRefusal = 'not-a-token' | 'algorithm' | 'unknown-key' | 'signature' | 'expired' | `claim ${string}`

/** Finds a public key in the issuer's own key set; undefined: there is none with this id. */
export type FindKey = (kid: string | undefined) => Promise<CryptoKey | undefined>

export interface TokenVerifierOptions {
  readonly issuer: string
  readonly audience: string
  readonly findKey: FindKey
  readonly clock: Clock
  /** `uuid` for the embedded issuer, whose subjects are user ids; `any` for an external one. */
  readonly subjects: 'uuid' | 'any'
}

/** Undefined: the token is rejected. @param onRefused receives the reason */
export type VerifyToken = (token: string, onRefused?: (why: TokenRefusal) => void) => Promise<VerifiedToken | undefined>

const MAX_TOKEN_LENGTH = 8192
/** Tokens are rejected ten minutes after they were issued, even with a later expiry (security figures, 16). */
export const MAX_AGE_SECONDS = 600
const CLOCK_TOLERANCE_SECONDS = 5
const ODD_SUBJECTS = new Set(['__proto__', 'prototype', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const PRINTABLE = /^[^\u0000-\u0020\u007f-\u009f\u2028\u2029]{1,255}$/u

function isPlainSubject(subject: unknown, kind: TokenVerifierOptions['subjects']): subject is string {
  if (typeof subject !== 'string' || ODD_SUBJECTS.has(subject)) return false
  return kind === 'uuid' ? UUID.test(subject) : PRINTABLE.test(subject)
}

/**
 * Verifies ID tokens of one issuer for one audience: RS256 only, with a key of the issuer's own set (never one from the
 * token). `iss`, `aud`, `exp`, `iat` and `sub` are required and must match exactly. Undefined for every invalid token;
 * it throws only when the keys cannot be read.
 */
export function tokenVerifier(options: TokenVerifierOptions): VerifyToken {
  const fixed: JWTVerifyOptions = {
    issuer: options.issuer,
    audience: options.audience,
    algorithms: ['RS256'],
    requiredClaims: ['sub', 'exp', 'iat'],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }
  return async (token, onRefused = () => {}) => {
    const refuse = (why: TokenRefusal): undefined => onRefused(why) as undefined
    if (token.length > MAX_TOKEN_LENGTH) return refuse('not-a-token')
    const found = await keyOf(token, options.findKey)
    if ('why' in found) return refuse(found.why)
    const { key } = found
    try {
      const { payload } = await jwtVerify(token, key, { ...fixed, currentDate: new Date(options.clock.now()) })
      const { iss, sub, aud, iat, exp, sid, nonce, auth_time } = payload
      // jose also accepts a list that contains the audience. A token for several audiences is rejected.
      const isForUs = aud === options.audience || (Array.isArray(aud) && aud.length === 1)
      if (!isForUs || iss === undefined || iat === undefined || exp === undefined) return refuse('claim aud')
      if (!isPlainSubject(sub, options.subjects)) return refuse('claim sub')
      return {
        issuer: iss,
        subject: sub,
        sid: typeof sid === 'string' && PRINTABLE.test(sid) ? sid : undefined,
        issuedAt: iat,
        expiresAt: exp,
        nonce: typeof nonce === 'string' ? nonce : undefined,
        // Some issuers send a single method as a string.
        amr: [payload.amr].flat().filter(method => typeof method === 'string'),
        acr: typeof payload.acr === 'string' ? payload.acr : undefined,
        authTime: typeof auth_time === 'number' && Number.isFinite(auth_time) ? auth_time : undefined,
      }
    } catch (error) {
      return refuse(refusalOf(error))
    }
  }
}

function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof errors.JWTExpired) return 'expired'
  return error instanceof errors.JWTClaimValidationFailed ? `claim ${error.claim}` : 'signature'
}

async function keyOf(
  token: string,
  findKey: FindKey,
): Promise<{ readonly key: CryptoKey } | { readonly why: TokenRefusal }> {
  let kid: string | undefined
  try {
    const header = decodeProtectedHeader(token)
    // Rejected before a key is looked up. Logout tokens and access tokens (`at+jwt`) are not ID tokens.
    if (header.alg !== 'RS256' || header.crit !== undefined) return { why: 'algorithm' }
    if (header.typ !== undefined && header.typ.toUpperCase() !== 'JWT') return { why: 'not-a-token' }
    if (header.kid !== undefined && typeof header.kid !== 'string') return { why: 'not-a-token' }
    kid = header.kid
  } catch {
    return { why: 'not-a-token' }
  }
  const key = await findKey(kid)
  return key ? { key } : { why: 'unknown-key' }
}

/** Keys of the embedded issuer, without HTTP. */
export function embeddedKeys(keys: SigningKeys): FindKey {
  const imported = new Map<string, CryptoKey>()
  return async kid => {
    if (kid === undefined) return undefined
    const known = imported.get(kid)
    if (known) return known
    const has = (each: { kid: string }) => each.kid === kid
    const found = (await keys.current()).signing.find(has) ?? (await keys.refresh()).signing.find(has)
    if (!found) return undefined
    const key = (await importJWK(publicJwk(found), 'RS256')) as CryptoKey
    imported.set(kid, key)
    return key
  }
}
