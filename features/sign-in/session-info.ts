/** What the sign-in application is told when it starts: `GET /sso/api/session`. Nothing in it is secret. */
export interface SessionInfo {
  /** Who is signed in at the embedded issuer in this browser. */
  readonly user: { readonly email: string } | null
  readonly provider:
    | { readonly kind: 'embedded' }
    | { readonly kind: 'external'; readonly issuer: string; readonly clientId: string; readonly redirectUri: string }
  /** Whether this system shows invented data. */
  readonly isDemo: boolean
}
