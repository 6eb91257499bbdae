import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { publicJwk, type SigningKey } from './signing-keys.ts'

/** Query parameters of OpenID Connect RP-Initiated Logout 1.0, section 2. */
export interface EndSessionRequest {
  readonly id_token_hint?: string
  readonly client_id?: string
  readonly post_logout_redirect_uri?: string
  readonly state?: string
}

export interface EndSessionTarget {
  readonly location: string
  /** The session to end; undefined: the screen asks the person first. */
  readonly endedSessionUid?: string
}

interface Settings {
  readonly issuer: string
  readonly clientId: string
  readonly signedOutPaths: readonly string[]
  readonly signOutHref: string
}

interface Hint {
  readonly sub: string
  readonly sid: string
}

/** The claims of an ID token that we issued, even an expired one. */
async function readHint(hint: string, settings: Settings, keys: readonly SigningKey[]): Promise<Hint | undefined> {
  try {
    const issuedAt = decodeJwt(hint).iat
    if (issuedAt === undefined) return undefined
    const verified = await jwtVerify(hint, createLocalJWKSet({ keys: keys.map(publicJwk) }), {
      issuer: settings.issuer,
      audience: settings.clientId,
      algorithms: ['RS256'],
      currentDate: new Date(issuedAt * 1000),
    })
    const { sub, sid } = verified.payload
    return typeof sub === 'string' && typeof sid === 'string' ? { sub, sid } : undefined
  } catch {
    return undefined
  }
}

function registeredTarget(request: EndSessionRequest, settings: Settings): string | undefined {
  const { origin } = new URL(settings.issuer)
  const path = settings.signedOutPaths.find(each => `${origin}${each}` === request.post_logout_redirect_uri)
  if (path === undefined) return undefined
  const target = new URL(path, origin)
  if (request.state !== undefined) target.searchParams.set('state', request.state)
  return target.href
}

/**
 * Decides about a sign-out request. With a valid hint for the browser's own session it signs out at once. Anything else
 * leads to a confirmation screen, because any page could have sent the browser here (CSRF).
 */
export async function endSessionTarget(
  request: EndSessionRequest,
  session: { readonly sessionUid: string; readonly uid: string } | undefined,
  settings: Settings,
  keys: readonly SigningKey[],
): Promise<EndSessionTarget> {
  const hint = request.id_token_hint ? await readHint(request.id_token_hint, settings, keys) : undefined
  const isOurClient = request.client_id === undefined || request.client_id === settings.clientId
  const isOwn = hint && isOurClient && (!session || (session.sessionUid === hint.sid && session.uid === hint.sub))
  if (!hint || !isOwn) return { location: settings.signOutHref }
  return { location: registeredTarget(request, settings) ?? settings.signOutHref, endedSessionUid: hint.sid }
}
