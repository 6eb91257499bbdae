import type { Permit } from '@pc/domain/access/decide.ts'
import type { Role } from '@pc/domain/access/role.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { AnnouncementLevel, AnnouncementTarget } from '@pc/domain/announcement/announcement.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { safeHtml } from '@pc/platform/html/safe-html.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export const ANNOUNCEMENT_ORDERS = [...COMMON_LIST_ORDERS, 'STARTAT_ASC', 'STARTAT_DESC'] as const
export type AnnouncementOrder = (typeof ANNOUNCEMENT_ORDERS)[number]
const ORDER_COLUMNS = { ID: 'a.id', CREATEDAT: 'a.createdAt', UPDATEDAT: 'a.updatedAt', STARTAT: 'a.startAt' } as const

export interface AnnouncementRow {
  readonly id: bigint
  readonly enabled: boolean
  readonly level: AnnouncementLevel
  readonly title: string
  /** Sanitised again when it is read, whatever the row contains. */
  readonly body: string
  readonly startAt: Date
  readonly endAt: Date | null
  readonly closeButtonText: string
  readonly isRead: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly revision: number
  readonly targets: readonly AnnouncementTarget[]
}

export interface AnnouncementFilter {
  readonly enabled?: boolean | undefined
  /** Began at or before this instant. */
  readonly startAt?: Date | undefined
  /** Ends after this instant, or never. */
  readonly endAt?: Date | undefined
  /** Only announcements that address the caller; always so for people who are not staff. */
  readonly isAddressedToMe?: boolean | undefined
}

type ReadPermit = Permit<'read:list' | 'read:show', 'insight:announcement.'>

/**
 * The viewer's own scope for people who see only published announcements, because that permit has no scope of its own.
 */
function announcementScope(permit: Permit): Scope {
  return permit.onlyPublished ? permit.viewer.scope : permit.scope
}

/** One page of the announcements in the given order, and the number of all that match. */
export async function listAnnouncements(
  database: Database,
  filter: AnnouncementFilter,
  order: AnnouncementOrder,
  page: Page,
  permit: ReadPermit,
  now: number,
): Promise<{ total: number; nodes: AnnouncementRow[] }> {
  const [column, direction] = splitOrder(order)
  const way = direction === 'ASC' ? 'asc' : 'desc'
  const reader = database.reader(announcementScope(permit))
  let rows = reader.selectFrom('announcements as a').where(visibleTo(permit, now))
  if (filter.enabled !== undefined) rows = rows.where('a.enabled', '=', filter.enabled)
  if (filter.startAt !== undefined) rows = rows.where('a.startAt', '<=', instant(filter.startAt))
  if (filter.endAt !== undefined) {
    const endAt = instant(filter.endAt)
    rows = rows.where(eb => eb.or([eb('a.endAt', 'is', null), eb('a.endAt', '>', endAt)]))
  }
  if (filter.isAddressedToMe === true) rows = rows.where(addressedTo(permit))
  const ids = await rows
    .select('a.id')
    .orderBy(ORDER_COLUMNS[column], way)
    .orderBy('a.id', way)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const nodes = await announcementsOf(
    reader,
    ids.map(row => row.id),
    permit.viewer.uid,
  )
  if (ids.length < page.limit && (ids.length > 0 || page.offset === 0))
    return { total: page.offset + ids.length, nodes }
  const counted = await rows.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  return { total: Number(counted.total), nodes }
}

/** Undefined for an announcement that does not exist and for one that the caller may not see. */
export async function findAnnouncement(
  database: Database,
  id: bigint,
  permit: ReadPermit,
  now: number,
): Promise<AnnouncementRow | undefined> {
  const reader = database.reader(announcementScope(permit))
  const found = await reader
    .selectFrom('announcements as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(visibleTo(permit, now))
    .executeTakeFirst()
  return found && (await announcementsOf(reader, [found.id], permit.viewer.uid))[0]
}

/** Whole announcements in the order of `ids`. */
export async function announcementsOf(reader: Reader, ids: readonly bigint[], uid: string): Promise<AnnouncementRow[]> {
  if (ids.length === 0) return []
  const of = sql<bigint>`any(${ids}::bigint[])`
  const found = await reader.selectFrom('announcements').selectAll().where('id', '=', of).execute()
  const targets = await reader.selectFrom('announcementTargets').selectAll().where('announcementId', '=', of).execute()
  const reads = await reader
    .selectFrom('announcementReads')
    .select('announcementId')
    .where('announcementId', '=', of)
    .where('uid', '=', uid)
    .execute()
  const read = new Set(reads.map(row => row.announcementId))
  const rows = new Map(
    found.map(row => {
      const own = targets.filter(target => target.announcementId === row.id).map(targetOf)
      const level = row.level as AnnouncementLevel
      return [row.id, { ...row, level, body: safeHtml(row.body), isRead: read.has(row.id), targets: own }] as const
    }),
  )
  return ids.flatMap(id => rows.get(id) ?? [])
}

function targetOf(row: {
  readonly mediumId: bigint | null
  readonly organizationId: bigint | null
  readonly roleName: string | null
}): AnnouncementTarget {
  if (row.mediumId !== null) return { kind: 'medium', mediumId: row.mediumId }
  if (row.organizationId !== null) return { kind: 'organization', organizationId: row.organizationId }
  return row.roleName === null ? { kind: 'all' } : { kind: 'role', role: row.roleName as Role }
}

/** As ISO text: statements of a reader take plain values only. */
const instant = (at: Date) => sql<Date>`${at.toISOString()}::timestamptz`

/**
 * Staff see all announcements, others those that are enabled, running and addressed to them.
 * Tested by `features/announcements/server/announcements-api.test.ts`.
 */
export function visibleTo(permit: Permit, now: number) {
  if (!permit.onlyPublished) return sql<boolean>`true`
  const at = instant(new Date(now))
  return sql<boolean>`(a.enabled and a.start_at <= ${at} and (a.end_at is null or a.end_at > ${at})
    and ${addressedTo(permit)})`
}

/**
 * Whether an announcement addresses the viewer. Row-level security restricts targets for publishers; this applies to
 * everybody.
 */
function addressedTo({ viewer }: Permit) {
  const { uid, organizationId, roles, scope } = viewer
  const media =
    scope.kind === 'organization'
      ? sql`select g.medium_id from agreements g where g.organization_id = ${scope.organizationId}`
      : scope.kind === 'agreements'
        ? sql`select g.medium_id from agreements g join user_agreements ua on ua.agreement_id = g.id
              where ua.uid = ${uid}::uuid`
        : sql`select null::bigint where false`
  return sql<boolean>`exists (select from announcement_targets t where t.announcement_id = a.id and (
    t.kind = 'all' or t.organization_id = ${organizationId}::bigint or t.role_name = any(${[...roles]}::text[])
    or t.medium_id in (${media})))`
}

/** Names of organisations that are targets, for staff. */
export function organizationNames(
  database: Database,
  ids: readonly bigint[],
  permit: Permit<'read:show', 'insight:in_house_field.'>,
): Promise<Map<bigint, string>> {
  return database.inScope(permit.scope, async tx => {
    const rows = await tx.selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(row => [row.id, row.name]))
  })
}
