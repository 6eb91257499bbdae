import type { IssuerRefusal } from '@pc/domain/access/issuer-refusal.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../postgres/database.ts'
import { externalKeys } from './external-issuer.ts'
import { checkEmbeddedSession, checkExternalSession, type SignedIn, whyNobody } from './session-check.ts'
import type { SigningKeys } from './signing-keys.ts'
import { rememberVerified } from './verified-token-cache.ts'
import { embeddedKeys, type TokenRefusal, tokenVerifier, type VerifyToken } from './verify-token.ts'

/** Why an external issuer's token does not authenticate anybody. */
export type RefusedSignIn = TokenRefusal | IssuerRefusal
export type OnRefused = (why: RefusedSignIn, subject?: string, detail?: string) => void

/**
 * The person by the Authorization header alone; undefined when nobody is signed in.
 * @param onRefused receives the reason, for tokens of an external issuer only
 */
export type Authenticate = (authorization: string | undefined, onRefused?: OnRefused) => Promise<SignedIn | undefined>

export interface AuthenticateOptions {
  readonly database: Database
  readonly clock: Clock
  readonly issuer: string
  readonly isEmbedded: boolean
  readonly audience: string
  readonly keys: SigningKeys
  /** For step-up at an external issuer the token must have one of these `acr` values. Default: any. */
  readonly stepUpAcr?: readonly string[]
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

/** The JWT of a bearer header; undefined for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1]
}

/**
 * Authenticates API requests: first the token's signature, then session and user with one query. A signature is checked
 * once per token, but the session is looked up at each request, so that sign-out takes effect at once.
 */
export function authenticator(options: AuthenticateOptions): Authenticate {
  const verify = rememberVerified(configuredVerifier(options), options.clock)
  const { database, isEmbedded, clock, stepUpAcr = [] } = options
  const isOverdue = ({ secondFactorDueAt }: SignedIn) => (secondFactorDueAt?.getTime() ?? Infinity) <= clock.now()
  if (isEmbedded)
    return async authorization => {
      const token = bearerToken(authorization)
      const verified = token && (await verify(token))
      const person = verified ? await checkEmbeddedSession(database, verified) : undefined
      // The sign-in screens identify the session by its cookie, and then only let the person enrol a second factor.
      return person && isOverdue(person) ? undefined : person
    }
  return async (authorization, onRefused) => {
    const token = bearerToken(authorization)
    const verified = token && (await verify(token, onRefused))
    if (!verified) return undefined
    const person = await checkExternalSession(database, verified)
    if (!person && onRefused) {
      const { why, detail } = await whyNobody(database, verified)
      onRefused(why, verified.subject, detail)
    }
    const isLow = stepUpAcr.length > 0 && !stepUpAcr.includes(verified.acr ?? '')
    if (!person || !isOverdue(person)) return person && isLow ? { ...person, lacksStepUpAcr: true } : person
    onRefused?.('second-factor-missing', verified.subject)
    return undefined
  }
}
