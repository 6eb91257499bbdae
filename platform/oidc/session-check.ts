import { createHash } from 'node:crypto'
import type { IssuerRefusal } from '@pc/domain/access/issuer-refusal.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { sql } from 'kysely'
import { compileOnce } from '../postgres/compile-once.ts'
import { type Database, SYSTEM, type Transaction } from '../postgres/database.ts'
import { secondFactorDue, secondFactorOf } from './second-factor-due.ts'
import type { VerifiedToken } from './verify-token.ts'

/** The person behind a request, as PostgreSQL has them at this moment. */
export interface SignedIn {
  readonly uid: string
  readonly email: string
  readonly roles: readonly Role[]
  readonly organizationId: bigint | null
  /** The session at the embedded issuer; null with an external one. */
  readonly sessionUid: string | null
  /** Identifies the session, at either kind of issuer. */
  readonly sessionKey: string
  /** The user whom this member of staff impersonates in this session; null: none. */
  readonly impersonatedUid: string | null
  /** Of the account, or of this sign-in at an external issuer. `unknown`: that issuer does not say. */
  readonly secondFactor: 'present' | 'missing' | 'unknown'
  /** Until when the person may do without the second factor that their roles require; null: none is missing. */
  readonly secondFactorDueAt: Date | null
  /** `sub` claim of the external issuer. */
  readonly subject?: string
  /**
   * Time of the sign-in at an external issuer (milliseconds); absent: its token does not say, or the issuer is ours.
   */
  readonly signedInAtMs?: number
  /** The external issuer's token has none of the `acr` values that step-up requires. */
  readonly lacksStepUpAcr?: true
}

/**
 * Looks up the session of a verified token, at each request. Undefined: the session was ended, the user was disabled or
 * deleted, or all of the user's sessions were ended. The result must not be cached across requests, so that sign-out,
 * disabling and role changes apply to the next one.
 */
export type CheckSession = (database: Database, token: VerifiedToken) => Promise<SignedIn | undefined>

interface Row {
  readonly uid: string
  readonly email: string
  readonly organizationId: string | null
  readonly roles: readonly string[]
  readonly impersonatedUid: string | null
  readonly hasSecondFactor: boolean
  readonly secondFactorDueAt: Date | null
}

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)

function signedIn(row: Row, sessionUid: string | null, sessionKey: string): SignedIn {
  return {
    uid: row.uid,
    email: row.email,
    roles: row.roles.filter(isRole),
    organizationId: row.organizationId === null ? null : BigInt(row.organizationId),
    sessionUid,
    sessionKey,
    impersonatedUid: row.impersonatedUid,
    secondFactor: row.hasSecondFactor ? 'present' : 'missing',
    secondFactorDueAt: row.secondFactorDueAt,
  }
}

const person = (
  sessionKey: string,
  isEmbedded: boolean,
) => sql`u.uid::text as uid, u.email, u.organization_id::text as organization_id,
  array(select r.role_name from user_roles r where r.uid = u.uid order by r.role_name) as roles,
  (select v.target_uid::text from view_as_sessions v where v.session_key = ${sessionKey} and v.staff_uid = u.uid
    and v.ended_at is null and v.expires_at > now()) as impersonated_uid,
  exists (select from idp_authenticators a where a.uid = u.uid) as has_second_factor,
  ${secondFactorDue(isEmbedded)} as second_factor_due_at`

const embeddedSession = compileOnce<{ readonly sid: string; readonly subject: string }, Row>(
  place =>
    sql`select ${person(place('sid'), true)} from idp_payloads s join users u on u.uid = ${place('subject')}::uuid
    where s.model = 'Session' and s.session_uid = ${place('sid')} and s.account_id = ${place('subject')}
      and s.expires_at > now() and u.enabled
      and to_timestamp((s.payload ->> 'loginTs')::bigint) >= u.sessions_valid_from`,
)

/** Sessions of the embedded issuer: one indexed query in one round trip. */
export const checkEmbeddedSession: CheckSession = async (database, { sid, subject }) => {
  if (sid === undefined) return undefined
  const [row] = await database.readSingleStatement(SYSTEM, embeddedSession({ sid, subject }))
  return row && signedIn(row, sid, sid)
}

/** The id under which a sign-out at an external issuer is stored: its session or, without `sid`, this sign-in. */
function signedOutId(token: VerifiedToken): string {
  const named = token.sid === undefined ? ['iat', token.subject, token.issuedAt] : ['sid', token.sid]
  return createHash('sha256')
    .update(JSON.stringify([token.issuer, ...named]))
    .digest('base64url')
}

/** The key of a session at an external issuer: by `sid`, or without one all sessions of the subject. */
function externalSessionKey(token: VerifiedToken): string {
  const named = token.sid === undefined ? ['sub', token.subject] : ['sid', token.sid]
  return `external:${createHash('sha256')
    .update(JSON.stringify([token.issuer, ...named]))
    .digest('base64url')}`
}

/** External issuer: the account is bound to issuer and subject. The email address in the token is ignored. */
export const checkExternalSession: CheckSession = async (database, token) => {
  const sessionKey = externalSessionKey(token)
  const find = sql<Row>`select ${person(sessionKey, false)} from users u
    where u.oidc_issuer = ${token.issuer} and u.oidc_subject = ${token.subject} and u.enabled
      and to_timestamp(${token.issuedAt}) >= u.sessions_valid_from
      and not exists (select from idp_payloads p where p.model = 'SignedOut' and p.id = ${signedOutId(token)})`
  const [row] = await database.readSingleStatement(SYSTEM, find)
  if (!row) return undefined
  const secondFactor = secondFactorOf(token)
  const secondFactorDueAt = secondFactor === 'missing' ? row.secondFactorDueAt : null
  // Limited to the issue time: an issuer whose clock is ahead must not extend a step-up.
  const signedInAt =
    token.authTime === undefined ? {} : { signedInAtMs: Math.min(token.authTime, token.issuedAt) * 1000 }
  return { ...signedIn(row, null, sessionKey), ...signedInAt, secondFactor, secondFactorDueAt, subject: token.subject }
}

/** Why {@link checkExternalSession} found nobody. `detail` is for the operator's log. */
export async function whyNobody(
  database: Database,
  token: VerifiedToken,
): Promise<{ readonly why: IssuerRefusal; readonly detail?: string }> {
  const [bound] = await database.readSingleStatement(
    SYSTEM,
    sql<{ enabled: boolean }>`select enabled from users
      where oidc_issuer = ${token.issuer} and oidc_subject = ${token.subject}`,
  )
  if (bound) return { why: bound.enabled ? 'signed-out' : 'disabled' }
  return { why: 'not-registered', detail: 'no user has this account; an invitation binds it by its link' }
}

/** Stores that a session at an external issuer was signed out here, until its last token has expired. */
export async function rememberSignedOut(tx: Transaction, token: VerifiedToken): Promise<void> {
  await sql`insert into idp_payloads (model, id, payload, expires_at)
    values ('SignedOut', ${signedOutId(token)}, '{}'::jsonb, now() + interval '1 day')
    on conflict (model, id) do update set expires_at = excluded.expires_at`.execute(tx)
}

/** Canonical spelling of an address, as `users.email` holds it. */
export function normalizedEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}
