import { sql } from 'kysely'
import { type Database, SYSTEM } from '../postgres/database.ts'

/** Device and address of a request in a session. */
export interface SessionUse {
  readonly sessionUid: string
  readonly uid: string
  readonly userAgent: string
  readonly address: string
}

/** A session in the list that its owner sees. */
export interface ListedSession {
  readonly sessionUid: string
  readonly startedAt: Date
  readonly lastUsedAt: Date
  /** Browser and system in words; empty when nothing is known. */
  readonly device: string
  readonly address: string
}

/** Records from where a session is used, at most once a minute unless device or address changed. */
export async function noteSessionUse(database: Database, use: SessionUse): Promise<void> {
  const device = deviceName(use.userAgent)
  // Mostly nothing has changed, and reading costs a fraction of locking an unchanged row for an update.
  const known = await database.readSingleStatement(
    SYSTEM,
    sql`select 1 from idp_session_uses where session_uid = ${use.sessionUid} and address = ${use.address}
      and (${device} = '' or device = ${device}) and last_used_at >= now() - interval '1 minute'`,
  )
  if (known.length > 0) return
  await database.inScope(SYSTEM, tx =>
    sql`insert into idp_session_uses as s (session_uid, uid, device, address, last_used_at)
      select ${use.sessionUid}, u.uid, ${device}, ${use.address}, now() from users u where u.uid = ${use.uid}::uuid
      on conflict (session_uid) do update set device = coalesce(nullif(excluded.device, ''), s.device), address = excluded.address, last_used_at = now()
      where s.last_used_at < now() - interval '1 minute' or (excluded.device <> '' and s.device <> excluded.device) or s.address <> excluded.address`.execute(
      tx,
    ),
  )
}

/** The person's valid sessions, most recently used first. */
export async function listSessions(database: Database, uid: string): Promise<readonly ListedSession[]> {
  const found = await database.inScope(SYSTEM, tx =>
    sql<ListedSession>`select p.session_uid, to_timestamp((p.payload ->> 'loginTs')::bigint) as started_at,
        coalesce(s.last_used_at, to_timestamp((p.payload ->> 'loginTs')::bigint)) as last_used_at,
        coalesce(s.device, '') as device, coalesce(s.address, '') as address
      from idp_payloads p join users u on u.uid = ${uid}::uuid
      left join idp_session_uses s on s.session_uid = p.session_uid
      where p.model = 'Session' and p.account_id = ${uid} and p.expires_at > now()
        and to_timestamp((p.payload ->> 'loginTs')::bigint) >= u.sessions_valid_from
      order by last_used_at desc, p.session_uid limit 100`.execute(tx),
  )
  return found.rows
}

/** Records a step-up in this session: with the password, a second factor or a passkey. */
export async function noteStepUp(database: Database, use: SessionUse): Promise<void> {
  await noteSessionUse(database, use)
  await database.inScope(SYSTEM, tx =>
    sql`update idp_session_uses set proved_at = now() where session_uid = ${use.sessionUid}`.execute(tx),
  )
}

/** Whether the person signed in or stepped up within the last ten minutes. */
export async function hasRecentStepUp(
  database: Database,
  session: { readonly sessionUid: string; readonly startedAt: number },
): Promise<boolean> {
  const found = await database.inScope(SYSTEM, tx =>
    sql`select 1 where to_timestamp(${session.startedAt}) > now() - ${STEP_UP_MINUTES} * interval '1 minute'
      or exists (select from idp_session_uses s where s.session_uid = ${session.sessionUid}
        and s.proved_at > now() - ${STEP_UP_MINUTES} * interval '1 minute')`.execute(tx),
  )
  return found.rows.length > 0
}

/** How long after a step-up a person may change what protects accounts. */
export const STEP_UP_MINUTES = 10

/** Like {@link hasRecentStepUp} for a session known only by its id; false when it has ended. */
export async function isSessionSteppedUp(database: Database, sessionUid: string): Promise<boolean> {
  const [found] = await database.readSingleStatement(
    SYSTEM,
    sql`select 1 from idp_payloads p left join idp_session_uses s on s.session_uid = p.session_uid
    where p.model = 'Session' and p.session_uid = ${sessionUid}
      and greatest(to_timestamp((p.payload ->> 'loginTs')::bigint), s.proved_at) > now() - ${STEP_UP_MINUTES} * interval '1 minute'`,
  )
  return found !== undefined
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Browser and system for recognising a device. The user agent is only a claim, nothing depends on it. */
function deviceName(userAgent: string): string {
  const nameIn = (known: readonly (readonly [RegExp, string])[]) => known.find(([sign]) => sign.test(userAgent))?.[1]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(' / ')
}
