import type { ApiKeyScope } from '../api-key/api-key.ts'
import type { Role } from './role.ts'
import { isStaff, seesRows } from './role-duties.ts'

/** Which rows a transaction may see. PostgreSQL's row-level security reads the same. */
export type Scope =
  /** Staff and the system: every row. */
  | { readonly kind: 'all' }
  | { readonly kind: 'organization'; readonly uid: string; readonly organizationId: bigint }
  | { readonly kind: 'agreements'; readonly uid: string; readonly organizationId: bigint | null }
  /** Signed in without rights to insight data: the own user row only. */
  | { readonly kind: 'self'; readonly uid: string }

/** A signed-in person, as the database knows it at this request. */
export interface Viewer {
  readonly uid: string
  readonly email: string
  readonly roles: readonly Role[]
  readonly organizationId: bigint | null
  /** The rows of insight data; a {@link Permit} carries the scope of its own resource. */
  readonly scope: Scope
  /** What this session is known by, also at an external issuer; undefined where there is no session. */
  readonly sessionKey?: string
  /** When the person last signed in at an external issuer, as far as its token says. */
  readonly signedInAtMs?: number
  /** That sign-in was not of the level that a step-up needs (`acr`). */
  readonly lacksStepUpAcr?: true
  /** The member of staff who impersonates this person, read-only; undefined: the person is here. */
  readonly impersonatedBy?: ImpersonatedBy
  /** `unknown`: an external issuer does not say. */
  readonly secondFactor?: 'present' | 'missing' | 'unknown'
  /** Until when the person may go without the second factor that their roles need, in milliseconds since 1970. */
  readonly secondFactorDueAtMs?: number
  /** What an external issuer calls the signed-in person; its clients know no uid of ours. */
  readonly subject?: string
  /** The key that a program asks with in this person's name; undefined: the person is here. */
  readonly apiKey?: AskingKey
}

/** A program's key: it reads the kinds of data that it was made for, and does nothing that is a person's. */
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
 * Whether a uid that a client sends means the viewer. During an impersonation the client may still send the uid of staff,
 * and behind an external issuer it knows only the subject.
 */
export function isOneself(viewer: Viewer, uid: string): boolean {
  const requested = uid.toLowerCase()
  return requested === viewer.uid || requested === viewer.impersonatedBy?.uid || uid === viewer.subject
}

/** Two roles give the union: staff wins, then the own organisation (which includes its agreements). */
export function viewerScope(uid: string, roles: readonly Role[], organizationId: bigint | null): Scope {
  if (isStaff(roles)) return { kind: 'all' }
  if (seesRows(roles, 'organization') && organizationId !== null) {
    return { kind: 'organization', uid, organizationId }
  }
  if (seesRows(roles, 'agreements')) return { kind: 'agreements', uid, organizationId }
  return { kind: 'self', uid }
}
