import type { Permit } from '@pc/domain/access/decide.ts'
import { rolesOf, rolesSeeing } from '@pc/domain/access/role-duties.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** A person whom an announcement addresses. */
export interface AcknowledgementRow {
  readonly uid: string
  readonly email: string
  readonly organizationName: string | null
  /** Null: not read yet. */
  readonly readAt: Date | null
}

/** The roles that see announcements: all but those of other services. */
const READERS = [...rolesOf('staff'), ...rolesOf('publisher')]

/**
 * Everybody whom an announcement addresses, unread first. People without one of these roles are left out, because they
 * see no announcements. A medium addresses people with an agreement on it: of their organisation, if a role of theirs sees
 * all of that, or assigned to them.
 * @returns `total` matches `isRead`; `readTotal` counts all readers, also people who are no longer addressed
 */
export function listAcknowledgements(
  database: Database,
  announcementId: bigint,
  isRead: boolean | undefined,
  page: Page,
  permit: Permit<'read:show', 'insight:in_house_field.'>,
): Promise<{ total: number; readTotal: number; nodes: AcknowledgementRow[] }> {
  return database.inScope(permit.scope, async tx => {
    const found = await sql<AcknowledgementRow & { total: bigint; readTotal: bigint; wanted: boolean }>`
      with addressed as (
        select u.uid, u.email, o.name as organization_name, r.read_at
        from users u
        left join organizations o on o.id = u.organization_id
        left join announcement_reads r on r.uid = u.uid and r.announcement_id = ${announcementId}
        where u.enabled
          and exists (select from user_roles ur where ur.uid = u.uid and ur.role_name = any(${READERS}::text[]))
          and exists (select from announcement_targets t where t.announcement_id = ${announcementId} and (
            t.kind = 'all' or t.organization_id = u.organization_id
            or t.role_name in (select ur.role_name from user_roles ur where ur.uid = u.uid)
            or t.medium_id in (
              select g.medium_id from agreements g where g.organization_id = u.organization_id and exists (
                select from user_roles ur where ur.uid = u.uid and ur.role_name = any(${rolesSeeing('organization')}::text[]))
              union all
              select g.medium_id from agreements g join user_agreements ua on ua.agreement_id = g.id
                where ua.uid = u.uid))))
      select uid, email, organization_name, read_at, count(*) over () as total
      from addressed
      where ${isRead ?? null}::boolean is null or (read_at is not null) = ${isRead ?? null}::boolean
      order by read_at desc nulls first, email
      limit ${page.limit} offset ${page.offset}`.execute(tx)
    const counted = await tx
      .selectFrom('announcementReads')
      .select(eb => eb.fn.countAll<bigint>().as('total'))
      .where('announcementId', '=', announcementId)
      .executeTakeFirstOrThrow()
    return { total: Number(found.rows[0]?.total ?? 0n), readTotal: Number(counted.total), nodes: found.rows }
  })
}
