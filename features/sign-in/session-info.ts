/** What the sign-in application is told when it starts: `GET /sso/api/session`. Nothing in it is secret. */
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
  /** Whether nobody has an account yet: the first administrator comes by the link that the start has printed. */
  readonly isEmpty: boolean
  /** Whether this system shows invented data. */
  readonly isDemo: boolean
  /** Where somebody who cannot sign in gets help: a mail address or an http(s) address. */
  readonly supportContact?: string | undefined
}

/** The second question of a sign-in, for a person who holds the ticket. */
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
  /** Whether a passkey of the account can be asked for at this address. */
  readonly canProveByPasskey: boolean
  /** Whether the password proves nothing without a code: of the app, or a recovery code. */
  readonly needsCode: boolean
  /** Until when a second factor has to be there; null: one is there, or none is needed. */
  readonly secondFactorDueAt: string | null
  /** Whether the person has to prove to be there before anything is changed. */
  readonly needsStepUp: boolean
}
export interface PasskeyEntry {
  readonly id: string
  readonly label: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** A change of the account that somebody asked for, as its person sees it. */
export interface AccountChangeInfo {
  /** Sent back with the decision, so that it is about the change that was shown. */
  readonly id: string
  readonly kind: 'email' | 'second-factor' | 'invitation'
  readonly email: string
  readonly newEmail: string | null
  /** Whether the reader is at the address of before, where one may object, or at the new one. */
  readonly side: 'old' | 'new'
  readonly isDone: boolean
  /** The reader has agreed already; the other address has not. */
  readonly isAgreed: boolean
}
