import { decide } from '@pc/domain/access/decide.ts'
import {
  IMPERSONATION_MINUTES,
  MAX_IMPERSONATION_REASON,
  MIN_IMPERSONATION_REASON,
} from '@pc/domain/access/impersonation.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { mayBeImpersonated } from '@pc/domain/access/role-rank.ts'
import { type Viewer, viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { SignedIn } from '@pc/platform/oidc/session-check.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { lockUser, type UserRow } from './user-store.ts'

type ImpersonationRefusal = Refusal<
  | 'record/not-found'
  | 'view-as/reason-required'
  | 'view-as/not-a-publisher'
  | 'view-as/already-started'
  | 'view-as/not-started'
>

/**
 * The person of a request as the field guards see it: the signed-in person or, during an impersonation, the
 * impersonated one. An impersonation ends when it expires or when either person loses the right to it.
 * Tested by `features/access/server/impersonation.test.ts`.
 */
export async function viewerOf(database: Database, person: SignedIn): Promise<Viewer> {
  const { uid, email, roles, organizationId, sessionKey, impersonatedUid, subject, secondFactor } = person
  const { signedInAtMs, lacksStepUpAcr } = person
  const dueAtMs = person.secondFactorDueAt?.getTime()
  const scope = viewerScope(uid, roles, organizationId)
  const due = dueAtMs === undefined ? {} : { secondFactorDueAtMs: dueAtMs }
  const own: Viewer = {
    ...due,
    uid,
    email,
    roles,
    organizationId,
    scope,
    sessionKey,
    secondFactor,
    ...(subject ? { subject } : {}),
    ...(signedInAtMs === undefined ? {} : { signedInAtMs }),
    ...(lacksStepUpAcr ? { lacksStepUpAcr } : {}),
  }
  if (impersonatedUid === null || !decide(own, 'write:create', 'iam:view_as.')) return own
  return (await impersonatedViewer(database, own, impersonatedUid)) ?? own
}

interface ImpersonationRow {
  readonly email: string
  readonly organizationId: bigint | null
  readonly roles: readonly string[]
  readonly reason: string
  readonly startedAt: Date
  readonly expiresAt: Date
}

/** Reads as SYSTEM, because the viewer, whose scope would apply, is only determined here. */
async function impersonatedViewer(database: Database, staff: Viewer, uid: string): Promise<Viewer | undefined> {
  const found = await database.inScope(SYSTEM, tx =>
    sql<ImpersonationRow>`select u.email, u.organization_id, v.reason, v.started_at, v.expires_at,
        array(select r.role_name from user_roles r where r.uid = u.uid) as roles
      from view_as_sessions v join users u on u.uid = v.target_uid and u.enabled
      where v.session_key = ${staff.sessionKey ?? null} and v.staff_uid = ${staff.uid}::uuid
        and v.target_uid = ${uid}::uuid and v.ended_at is null and v.expires_at > now()`.execute(tx),
  )
  const row = found.rows[0]
  const roles = ROLES.filter(role => row?.roles.includes(role))
  if (!row || !mayBeImpersonated(roles)) return undefined
  return {
    uid,
    email: row.email,
    roles,
    organizationId: row.organizationId,
    scope: viewerScope(uid, roles, row.organizationId),
    ...(staff.sessionKey === undefined ? {} : { sessionKey: staff.sessionKey }),
    ...(staff.subject === undefined ? {} : { subject: staff.subject }),
    impersonatedBy: {
      uid: staff.uid,
      email: staff.email,
      reason: row.reason,
      startedAtMs: row.startedAt.getTime(),
      endsAtMs: row.expiresAt.getTime(),
    },
  }
}

/** Impersonates a publisher's user, in this session only and for a limited time. */
export async function startImpersonation(
  uid: string,
  typedReason: string,
  write: Write<'write:create', 'iam:view_as.'>,
): Promise<Result<UserRow, ImpersonationRefusal>> {
  const { tx, permit } = write
  const reason = typedReason.replaceAll(/\p{Cc}+/gu, ' ').trim()
  const length = [...reason].length
  if (length < MIN_IMPERSONATION_REASON || length > MAX_IMPERSONATION_REASON) {
    const limits = { min: MIN_IMPERSONATION_REASON, max: MAX_IMPERSONATION_REASON }
    return refused(refusal('view-as/reason-required', ['reason'], limits))
  }
  const target = await lockUser(tx, uid, permit)
  if (!target) return refused(refusal('record/not-found', ['uid']))
  if (!target.enabled || !mayBeImpersonated(target.roles)) return refused(refusal('view-as/not-a-publisher', ['uid']))
  const { sessionKey, uid: staffUid } = permit.viewer
  if (sessionKey === undefined) throw new TypeError('an impersonation belongs to a session')
  await sql`update view_as_sessions set ended_at = expires_at
    where session_key = ${sessionKey} and ended_at is null and expires_at <= now()`.execute(tx)
  const made = await sql<{ id: bigint }>`insert into view_as_sessions
      (session_key, staff_uid, target_uid, reason, expires_at)
    values (${sessionKey}, ${staffUid}::uuid, ${target.uid}::uuid, ${reason}, now() + ${IMPERSONATION_MINUTES} * interval '1 minute')
    on conflict (session_key) where ended_at is null do nothing returning id`.execute(tx)
  const impersonation = made.rows[0]
  if (!impersonation) return refused(refusal('view-as/already-started'))
  const after = { targetUid: target.uid, targetEmail: target.email, reason, minutes: IMPERSONATION_MINUTES }
  write.record({ action: 'start-view-as', resource: 'iam:view_as.', rowId: impersonation.id, before: null, after })
  return ok(target)
}

/** Ends the impersonation of this session. Runs in the scope of the impersonated person; the audit log names both. */
export async function endImpersonation(
  write: Write<'read:show', 'iam:user.'>,
): Promise<Result<boolean, ImpersonationRefusal>> {
  const { sessionKey, impersonatedBy } = write.permit.viewer
  if (sessionKey === undefined || !impersonatedBy) return refused(refusal('view-as/not-started'))
  const ended = await sql<{ id: bigint }>`update view_as_sessions set ended_at = now()
    where session_key = ${sessionKey} and ended_at is null returning id`.execute(write.tx)
  const impersonation = ended.rows[0]
  if (!impersonation) return refused(refusal('view-as/not-started'))
  write.record({
    action: 'end-view-as',
    resource: 'iam:view_as.',
    rowId: impersonation.id,
    before: { reason: impersonatedBy.reason },
    after: null,
  })
  return ok(true)
}
