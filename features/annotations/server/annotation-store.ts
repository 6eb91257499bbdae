import type { Permit } from '@pc/domain/access/decide.ts'
import type { AnnotationVisibility } from '@pc/domain/annotation/annotation.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { workInOwnName } from '@pc/platform/postgres/in-own-name.ts'
import { sql } from 'kysely'

export interface AnnotationRow {
  readonly id: bigint
  readonly startsOn: Day
  /** The last day; equal to the first for a single day. */
  readonly endsOn: Day
  readonly text: string
  readonly visibility: AnnotationVisibility
  readonly publisherId: bigint | null
  readonly publisherName: string | null
  /** Ascending; empty: the note is about no particular medium. */
  readonly mediumIds: readonly bigint[]
  readonly isMine: boolean
  readonly isByStaff: boolean
  /** Null when the reader may not see the writer's user row. */
  readonly writerEmail: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly revision: number
}

export interface AnnotationFilter {
  readonly from: Day
  readonly to: Day
  /** Notes about these publishers and notes about none; undefined: all. */
  readonly publisherIds: readonly bigint[] | undefined
  /** Notes about at least one of these media and notes about none; undefined: all. */
  readonly mediumIds: readonly bigint[] | undefined
}

type ReadPermit = Permit<'read:list', 'insight:annotation.'>

/** Notes that overlap the days, earliest first. */
export function listAnnotations(
  database: Database,
  filter: AnnotationFilter,
  page: Page,
  permit: ReadPermit,
): Promise<{ total: number; nodes: AnnotationRow[] }> {
  return database.inScope(
    permit.scope,
    async tx => {
      const { uid } = permit.viewer
      await workInOwnName(tx, uid)
      let rows = annotationRows(tx, uid).where('a.startsOn', '<=', filter.to).where('a.endsOn', '>=', filter.from)
      const { publisherIds, mediumIds } = filter
      if (publisherIds)
        rows = rows.where(eb =>
          eb.or([
            eb('a.publisherId', 'is', null),
            eb('a.publisherId', '=', sql<bigint>`any(${publisherIds}::bigint[])`),
          ]),
        )
      if (mediumIds) rows = rows.where(sql<boolean>`(a.medium_ids = '{}' or a.medium_ids && ${mediumIds}::bigint[])`)
      const nodes = await rows
        .orderBy('a.startsOn')
        .orderBy('a.endsOn')
        .orderBy('a.id')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      if (nodes.length < page.limit && page.offset === 0)
        return { total: nodes.length, nodes: nodes as AnnotationRow[] }
      const counted = await rows
        .clearSelect()
        .select(eb => eb.fn.countAll<bigint>().as('total'))
        .executeTakeFirstOrThrow()
      return { total: Number(counted.total), nodes: nodes as AnnotationRow[] }
    },
    { readOnly: true },
  )
}

/** The note, read for the person `uid`; undefined when there is none. */
export async function annotationOfId(tx: Transaction, id: bigint, uid: string): Promise<AnnotationRow | undefined> {
  const row = await annotationRows(tx, uid).where('a.id', '=', id).executeTakeFirst()
  return row as AnnotationRow | undefined
}

/**
 * Staff see all addresses. Addresses of staff are hidden from others, even if that member of staff belongs to an
 * organisation.
 */
const writerEmail = sql<string | null>`case when a.is_by_staff and app.scope() <> 'all' then null else u.email end`.as(
  'writerEmail',
)

function annotationRows(tx: Transaction, uid: string) {
  return tx
    .selectFrom('annotations as a')
    .leftJoin('users as u', 'u.uid', 'a.ownerUid')
    .leftJoin('publishers as p', 'p.id', 'a.publisherId')
    .select(['a.id', 'a.startsOn', 'a.endsOn', 'a.text', 'a.visibility', 'a.publisherId', 'p.name as publisherName'])
    .select('a.mediumIds')
    .select(['a.isByStaff', 'a.createdAt', 'a.updatedAt', 'a.revision'])
    .select([sql<boolean>`a.owner_uid = ${uid}`.as('isMine'), writerEmail])
    .where('a.deletedAt', 'is', null)
}
