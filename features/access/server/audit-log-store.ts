import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface AuditEntry {
  readonly seq: bigint
  readonly at: Date
  readonly actorUid: string | null
  /** Also null when the user was deleted. */
  readonly actorEmail: string | null
  readonly actingAsUid: string | null
  readonly actingAsEmail: string | null
  readonly sourceAddress: string
  readonly requestId: string
  readonly action: string
  readonly resourceName: string
  readonly rowId: string
  /** The fields before and after, as JSON text. */
  readonly before: string | null
  readonly after: string | null
}

export interface AuditFilter {
  readonly actorUid?: string | undefined
  readonly action?: string | undefined
  readonly resourceName?: string | undefined
  readonly rowId?: string | undefined
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
  /** LIKE pattern with wildcards escaped: action, resource, row, address, values, and both people's e-mail addresses. */
  readonly pattern?: string | undefined
}

/**
 * Entries of the audit log, newest first.
 * Tested by `features/access/server/impersonation.test.ts`.
 */
export function listAuditLog(
  database: Database,
  filter: AuditFilter,
  page: Page,
  permit: Permit<'read:list', 'iam:audit_log.'>,
): Promise<{ total: number; nodes: AuditEntry[] }> {
  const { actorUid, action, resourceName, rowId, from, until, pattern } = filter
  const conditions = [
    sql`true`,
    ...(actorUid === undefined ? [] : [sql`l.actor_uid = ${actorUid}::uuid`]),
    ...(action === undefined ? [] : [sql`l.action = ${action}`]),
    ...(resourceName === undefined ? [] : [sql`l.resource_name = ${resourceName}`]),
    ...(rowId === undefined ? [] : [sql`l.row_id = ${rowId}`]),
    ...(from === undefined ? [] : [sql`l.at >= ${from}`]),
    ...(until === undefined ? [] : [sql`l.at < ${until}`]),
    ...(pattern === undefined
      ? []
      : [
          sql`(l.action ilike ${pattern} or l.resource_name ilike ${pattern} or l.row_id ilike ${pattern}
            or l.source_address ilike ${pattern} or a.email ilike ${pattern} or v.email ilike ${pattern}
            or l.before::text ilike ${pattern} or l.after::text ilike ${pattern})`,
        ]),
  ]
  const rows = sql`from audit_log l left join users a on a.uid = l.actor_uid left join users v on v.uid = l.acting_as_uid
    where ${sql.join(conditions, sql` and `)}`
  return database.inScope(permit.scope, async tx => {
    const counted = await sql<{ total: bigint }>`select count(*) as total ${rows}`.execute(tx)
    const found = await sql<AuditEntry>`select l.seq, l.at, l.actor_uid::text as actor_uid, a.email as actor_email,
        l.acting_as_uid::text as acting_as_uid, v.email as acting_as_email, l.source_address, l.request_id, l.action,
        l.resource_name, l.row_id, l.before::text as before, l.after::text as after
      ${rows} order by l.seq desc limit ${page.limit} offset ${page.offset}`.execute(tx)
    return { total: Number(counted.rows[0]?.total ?? 0n), nodes: found.rows }
  })
}
