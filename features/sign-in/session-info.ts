/** The response of `GET /sso/api/session`, which the sign-in application reads at its start. Contains no secrets. */
export interface SessionInfo {
  /** Who is signed in at the embedded issuer in this browser. */
  readonly user: { readonly email: string; readonly mustEnrol: boolean } | null
  readonly provider: /** Whether passkeys can be used at this address: browsers want a host name. */
    | { readonly kind: 'embedded'; readonly hasPasskeys: boolean }
    | {
        readonly kind: 'external'
        readonly issuer: string
        readonly clientId: string
        readonly redirectUri: string
        /** `acr_values` of a step-up; undefined: any level. */
        readonly stepUpAcr?: string
      }
  /** Whether there are no accounts yet. The first administrator registers with the link printed at the server's start. */
  readonly isEmpty: boolean
  /** Whether this is a demonstration with invented data. */
  readonly isDemo: boolean
  /** The operator's contact (SUPPORT_CONTACT) for people who cannot sign in: an email address or an http(s) URL. */
  readonly supportContact?: string | undefined
}

/** The request for a second factor. The ticket proves that the password was right. */
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
  /** Whether a step-up by passkey is possible: the account has one, and the host name allows passkeys. */
  readonly canProveByPasskey: boolean
  /** Whether a step-up by password also needs a code (from the app, or a recovery code). */
  readonly needsCode: boolean
  /** When a second factor must be set up; null: there is one, or none is required. */
  readonly secondFactorDueAt: string | null
  /** Whether changes need a step-up first. */
  readonly needsStepUp: boolean
}
export interface PasskeyEntry {
  readonly id: string
  readonly label: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** A requested change of the account, as shown to its owner. */
export interface AccountChangeInfo {
  /** Sent back with the decision, which is refused when another change is pending by then. */
  readonly id: string
  readonly kind: 'email' | 'second-factor' | 'invitation'
  readonly email: string
  readonly newEmail: string | null
  /** The address whose link the reader opened. Only the old address may object. */
  readonly side: 'old' | 'new'
  readonly isDone: boolean
  /** Whether the reader has agreed; the change may still wait for the other address. */
  readonly isAgreed: boolean
}
