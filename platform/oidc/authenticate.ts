import type { Clock } from '../clock.ts'
import type { Database } from '../postgres/database.ts'
import { externalKeys } from './external-issuer.ts'
import { rememberVerified } from './remember-verified.ts'
import { checkEmbeddedSession, checkExternalSession, type SignedIn } from './session-check.ts'
import type { SigningKeys } from './signing-keys.ts'
import { embeddedKeys, tokenVerifier, type VerifyToken } from './verify-token.ts'

/** Who sends a request, by its Authorization header alone; undefined when nobody is signed in. */
export type Authenticate = (authorization: string | undefined) => Promise<SignedIn | undefined>

export interface AuthenticateOptions {
  readonly database: Database
  readonly clock: Clock
  readonly issuer: string
  readonly isEmbedded: boolean
  readonly audience: string
  readonly keys: SigningKeys
}

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i

/** The verifier for the configured issuer. */
export function configuredVerifier(options: AuthenticateOptions): VerifyToken {
  return tokenVerifier({
    issuer: options.issuer,
    audience: options.audience,
    clock: options.clock,
    findKey: options.isEmbedded ? embeddedKeys(options.keys) : externalKeys(options.issuer),
    subjects: options.isEmbedded ? 'uuid' : 'any',
  })
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1]
}

/**
 * Authenticates API requests: token by signature, then session and user by one query. A signature is checked once per
 * token; the session is looked up at each request.
 */
export function authenticator(options: AuthenticateOptions): Authenticate {
  const verify = rememberVerified(configuredVerifier(options), options.clock)
  const checkSession = options.isEmbedded ? checkEmbeddedSession : checkExternalSession
  return async authorization => {
    const token = bearerToken(authorization)
    const verified = token && (await verify(token))
    return verified ? checkSession(options.database, verified) : undefined
  }
}
