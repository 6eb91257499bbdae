/** What the sign-in application is told when it starts: `GET /sso/api/session`. Nothing in it is secret. */
export interface SessionInfo {
  /** Who is signed in at the embedded issuer in this browser. */
  readonly user: { readonly email: string } | null
  readonly provider: /** Whether passkeys can be used at this address: browsers want a host name. */
    | { readonly kind: 'embedded'; readonly hasPasskeys: boolean }
    | { readonly kind: 'external'; readonly issuer: string; readonly clientId: string; readonly redirectUri: string }
  /** Whether this system shows invented data. */
  readonly isDemo: boolean
}

/** The second question of a sign-in, for whoever holds the ticket. */
export interface SecondFactorRequest {
  readonly ticket: string
  readonly hasTotp: boolean
  readonly hasPasskey: boolean
  readonly hasRecoveryCodes: boolean
}

/** `GET /sso/api/sessions`. Instants are ISO 8601 texts. */
export interface SessionEntry {
  readonly id: string
  readonly isCurrent: boolean
  /** Browser and system; empty when nothing is known. */
  readonly device: string
  readonly address: string
  readonly startedAt: string
  readonly lastUsedAt: string
}

/** `GET /sso/api/security`: what protects the account. */
export interface SecurityInfo {
  readonly email: string
  readonly hasTotp: boolean
  readonly passkeys: readonly PasskeyEntry[]
  readonly recoveryCodesLeft: number
  readonly canHavePasskeys: boolean
  /** Whether the password is asked for again before anything is changed. */
  readonly mustProve: boolean
}
export interface PasskeyEntry {
  readonly id: string
  readonly label: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
