import type { ApiKeyScope } from '../api-key/api-key.ts'
import type { Role } from './role.ts'
import { isStaff, seesRows } from './role-duties.ts'

/** The rows that a transaction may see. PostgreSQL's row-level security applies the same. */
export type Scope =
  /** Staff and the system: every row. */
  | { readonly kind: 'all' }
  | { readonly kind: 'organization'; readonly uid: string; readonly organizationId: bigint }
  | { readonly kind: 'agreements'; readonly uid: string; readonly organizationId: bigint | null }
  /** Signed in without rights to insight data: only the own user row. */
  | { readonly kind: 'self'; readonly uid: string }

/** A signed-in person, read from the database for each request. */
export interface Viewer {
  readonly uid: string
  readonly email: string
  readonly roles: readonly Role[]
  readonly organizationId: bigint | null
  /** The rows of insight data. A {@link Permit} carries the scope of its own resource. */
  readonly scope: Scope
  /** Identifies this session, also at an external issuer; undefined when there is no session. */
  readonly sessionKey?: string
  /**
   * When the person last signed in at an external issuer, in milliseconds since 1970; undefined when its token does not
   * say.
   */
  readonly signedInAtMs?: number
  /** The sign-in did not reach the level that a step-up needs (claim `acr`). */
  readonly lacksStepUpAcr?: true
  /** The member of staff who impersonates this person, read-only; undefined: nobody does. */
  readonly impersonatedBy?: ImpersonatedBy
  /** `unknown`: an external issuer does not say. */
  readonly secondFactor?: 'present' | 'missing' | 'unknown'
  /** Until when the person may work without the second factor that their roles need, in milliseconds since 1970. */
  readonly secondFactorDueAtMs?: number
  /** The person's subject at an external issuer, whose clients do not know our uid. */
  readonly subject?: string
  /** The API key with which a program acts for this person; undefined: the person acts. */
  readonly apiKey?: AskingKey
}

/** An API key: it reads the kinds of data that it was made for and may do nothing personal. */
export interface AskingKey {
  readonly id: bigint
  readonly scopes: readonly ApiKeyScope[]
}

/** An impersonation by staff. */
export interface ImpersonatedBy {
  readonly uid: string
  readonly email: string
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  readonly endsAtMs: number
}

/**
 * Whether a uid that a client sends means the viewer. During an impersonation the client may still send the staff
 * member's uid, and behind an external issuer it knows only the subject.
 */
export function isOneself(viewer: Viewer, uid: string): boolean {
  const requested = uid.toLowerCase()
  return requested === viewer.uid || requested === viewer.impersonatedBy?.uid || uid === viewer.subject
}

/** The widest rows of all roles: staff first, then the own organisation, which includes its agreements. */
export function viewerScope(uid: string, roles: readonly Role[], organizationId: bigint | null): Scope {
  if (isStaff(roles)) return { kind: 'all' }
  if (seesRows(roles, 'organization') && organizationId !== null) {
    return { kind: 'organization', uid, organizationId }
  }
  if (seesRows(roles, 'agreements')) return { kind: 'agreements', uid, organizationId }
  return { kind: 'self', uid }
}
