import { createHash } from 'node:crypto'
import type { IssuerRefusal } from '@pc/domain/access/issuer-refusal.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { sql } from 'kysely'
import { compileOnce } from '../postgres/compile-once.ts'
import { type Database, SYSTEM, type Transaction } from '../postgres/database.ts'
import { secondFactorDue, secondFactorOf } from './second-factor-due.ts'
import type { VerifiedToken } from './verify-token.ts'

/** The person behind a request, as PostgreSQL knows them now. */
export interface SignedIn {
  readonly uid: string
  readonly email: string
  readonly roles: readonly Role[]
  readonly organizationId: bigint | null
  /** The session at the embedded issuer; null with an external one. */
  readonly sessionUid: string | null
  /** What this session is known by, whichever issuer it is of. */
  readonly sessionKey: string
  /** The user as whom this member of staff sees the system in this session; null: as oneself. */
  readonly impersonatedUid: string | null
  /** Of the account, or, at an external issuer, of this sign-in; `unknown`: that issuer does not say. */
  readonly secondFactor: 'present' | 'missing' | 'unknown'
  /** Until when the person may go without the second factor that their roles need; null: nothing is missing. */
  readonly secondFactorDueAt: Date | null
  /** What an external issuer calls the person. */
  readonly subject?: string
  /** When the person signed in at an external issuer, by this token; absent: it does not say, or the issuer is ours. */
  readonly signedInAtMs?: number
  /** The token of an external issuer does not say the level that a step-up needs. */
  readonly lacksStepUpAcr?: true
}

/**
 * Looks up, at each request, whose session a verified token belongs to. Undefined when the session was ended, the user
 * disabled or deleted, or every session before some moment was ended. Nothing of the answer may be kept for another
 * request: that is what makes sign-out, disabling and role changes act on the next one.
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

/** What an external issuer's token is remembered by after signing out: its session, or itself when it names none. */
function signedOutId(token: VerifiedToken): string {
  const named = token.sid === undefined ? ['iat', token.subject, token.issuedAt] : ['sid', token.sid]
  return createHash('sha256')
    .update(JSON.stringify([token.issuer, ...named]))
    .digest('base64url')
}

/** A session at an external issuer: the one that the token names, or, when it names none, all of the subject's. */
function externalSessionKey(token: VerifiedToken): string {
  const named = token.sid === undefined ? ['sub', token.subject] : ['sid', token.sid]
  return `external:${createHash('sha256')
    .update(JSON.stringify([token.issuer, ...named]))
    .digest('base64url')}`
}

/** Tokens of an external issuer: the account is the one bound to issuer and subject, whatever address they claim. */
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
  // Never later than the token itself: a step-up must not last longer for an issuer whose clock is ahead.
  const signedInAt =
    token.authTime === undefined ? {} : { signedInAtMs: Math.min(token.authTime, token.issuedAt) * 1000 }
  return { ...signedIn(row, null, sessionKey), ...signedInAt, secondFactor, secondFactorDueAt, subject: token.subject }
}

/** Why {@link checkExternalSession} has found nobody, and for the operator why the account is bound to nobody. */
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

/** Remembers that a session at an external issuer was signed out here, until its last token has expired. */
export async function rememberSignedOut(tx: Transaction, token: VerifiedToken): Promise<void> {
  await sql`insert into idp_payloads (model, id, payload, expires_at)
    values ('SignedOut', ${signedOutId(token)}, '{}'::jsonb, now() + interval '1 day')
    on conflict (model, id) do update set expires_at = excluded.expires_at`.execute(tx)
}

/** One spelling per mailbox, as `users.email` holds it. */
export function normalizedEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}
