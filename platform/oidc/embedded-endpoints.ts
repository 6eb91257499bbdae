/** What an OpenID Connect client needs to know of an issuer; names as in its discovery document. */
export interface IssuerEndpoints {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly end_session_endpoint: string
  readonly revocation_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
}

/**
 * Endpoints of the embedded issuer. Our own pages use them instead of fetching its discovery document, which saves a
 * request before the first screen. A test compares them with that document.
 */
export function embeddedEndpoints(issuer: string): IssuerEndpoints {
  const at = (path: string) => `${issuer}${path}`
  return {
    issuer,
    authorization_endpoint: at('/auth'),
    token_endpoint: at('/token'),
    end_session_endpoint: at('/session/end'),
    revocation_endpoint: at('/token/revocation'),
    userinfo_endpoint: at('/me'),
    jwks_uri: at('/jwks'),
  }
}
