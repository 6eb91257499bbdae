import { type CryptoKey, createRemoteJWKSet, errors, type JWTHeaderParameters } from 'jose'
import * as z from 'zod'
import type { FindKey } from './verify-token.ts'

const TIMEOUT_MS = 5_000
const RETRY_AFTER_MS = 10_000
const MAX_DOCUMENT_BYTES = 256 * 1024

/** The parts of OpenID Connect Discovery 1.0, section 3, that we use. */
const documentShape = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  end_session_endpoint: z.url().optional(),
})
type IssuerDocument = z.infer<typeof documentShape>

/** The identity provider did not answer, or its answer is incomplete. */
class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

async function fetchDocument(issuer: string): Promise<IssuerDocument> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(address, {
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const text = await response.text()
    if (text.length > MAX_DOCUMENT_BYTES) throw new Error('document too large')
    const document = documentShape.parse(JSON.parse(text))
    if (document.issuer !== issuer) throw new Error(`it calls itself ${document.issuer}`)
    const isInsecure = issuer.startsWith('https:') && !document.jwks_uri.startsWith('https:')
    if (isInsecure) throw new Error('jwks_uri without https')
    return document
  } catch (cause) {
    throw new IssuerUnavailable(`OIDC_ISSUER ${issuer} cannot be used`, { cause })
  }
}

/**
 * Keys of an external issuer: found by discovery once, then cached. An unknown key id causes a new fetch at most every
 * 30 seconds; URLs in tokens are never followed.
 * @throws IssuerUnavailable when the issuer cannot be reached; the next attempt is made after ten seconds
 */
export function externalKeys(issuer: string): FindKey {
  let set: ReturnType<typeof createRemoteJWKSet> | undefined
  let failure: { error: unknown; at: number } | undefined
  let pending: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined

  async function discover() {
    if (set) return set
    if (failure && performance.now() - failure.at < RETRY_AFTER_MS) throw failure.error
    try {
      const { jwks_uri } = await fetchDocument(issuer)
      set = createRemoteJWKSet(new URL(jwks_uri), {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: 30_000,
        cacheMaxAge: 600_000,
      })
      return set
    } catch (error) {
      failure = { error, at: performance.now() }
      throw error
    }
  }

  return async kid => {
    pending ??= discover().finally(() => {
      pending = undefined
    })
    const keys = await pending
    const header: JWTHeaderParameters = kid === undefined ? { alg: 'RS256' } : { alg: 'RS256', kid }
    try {
      return (await keys(header)) as CryptoKey
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        return undefined
      throw new IssuerUnavailable(`keys of ${issuer} cannot be read`, { cause: error })
    }
  }
}
