import { type CryptoKey, decodeProtectedHeader, importJWK, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import { UUID } from './issuer-account.ts'
import { publicJwk, type SigningKeys } from './signing-keys.ts'

/** What a genuine, unexpired ID token says. Whether its session still lives is another question: session-check.ts. */
export interface VerifiedToken {
  readonly issuer: string
  readonly subject: string
  /** The session at the issuer. Always there for the embedded issuer. */
  readonly sid: string | undefined
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly email: string | undefined
  readonly isEmailVerified: boolean
}

/** Finds the issuer's public key of that id, from the issuer's own set only. Undefined: there is no such key. */
export type FindKey = (kid: string | undefined) => Promise<CryptoKey | undefined>

export interface TokenVerifierOptions {
  readonly issuer: string
  readonly audience: string
  readonly findKey: FindKey
  readonly clock: Clock
  /** The embedded issuer's subjects are user ids; an external one chooses them. */
  readonly subjects: 'uuid' | 'any'
}

export type VerifyToken = (token: string) => Promise<VerifiedToken | undefined>

const MAX_TOKEN_LENGTH = 8192
/** Bearer tokens older than ten minutes are refused, whatever they say themselves (security figures, 16). */
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
 * Verifies ID tokens of one issuer for one audience: RS256 only, key from the issuer's own set (never one that the
 * token brings or names by address), `iss`, `aud`, `exp`, `iat`, `sub` required and exact.
 * Answers undefined for every token that is not good, whatever the reason; throws only when keys cannot be read.
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
  return async token => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined
    const key = await keyOf(token, options.findKey)
    if (!key) return undefined
    try {
      const { payload } = await jwtVerify(token, key, { ...fixed, currentDate: new Date(options.clock.now()) })
      const { iss, sub, aud, iat, exp, sid, email } = payload
      // jose accepts a list that contains the audience; a token for several audiences is not one for us.
      const isForUs = aud === options.audience || (Array.isArray(aud) && aud.length === 1)
      if (!isForUs || iss === undefined || iat === undefined || exp === undefined) return undefined
      if (!isPlainSubject(sub, options.subjects)) return undefined
      return {
        issuer: iss,
        subject: sub,
        sid: typeof sid === 'string' && PRINTABLE.test(sid) ? sid : undefined,
        issuedAt: iat,
        expiresAt: exp,
        email: typeof email === 'string' ? email : undefined,
        isEmailVerified: payload.email_verified === true,
      }
    } catch {
      return undefined
    }
  }
}

async function keyOf(token: string, findKey: FindKey): Promise<CryptoKey | undefined> {
  let kid: string | undefined
  try {
    const header = decodeProtectedHeader(token)
    // Refused before any key is looked for. A logout token or an access token (`at+jwt`) is no ID token.
    if (header.alg !== 'RS256' || header.crit !== undefined) return undefined
    if (header.typ !== undefined && header.typ.toUpperCase() !== 'JWT') return undefined
    if (header.kid !== undefined && typeof header.kid !== 'string') return undefined
    kid = header.kid
  } catch {
    return undefined
  }
  return findKey(kid)
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
