import type { Permit } from '@pc/domain/access/decide.ts'
import { MEDIUM_FIELD_NAMES, type MediumFields } from '@pc/domain/medium/medium.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'
import { isOfOwnAgreement, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords, inOrderOf, pageOf } from '@pc/platform/postgres/page-of-ids.ts'
import { type RawBuilder, sql } from 'kysely'

export const MEDIUM_ORDERS = [
  ...COMMON_LIST_ORDERS,
  'NAME_ASC',
  'NAME_DESC',
  'DISPLAYORDER_ASC',
  'DISPLAYORDER_DESC',
] as const
export type MediumOrder = (typeof MEDIUM_ORDERS)[number]
const ORDER_COLUMNS = {
  ID: sql`m.id`,
  CREATEDAT: sql`m.created_at`,
  UPDATEDAT: sql`m.updated_at`,
  NAME: sql`m.name`,
  DISPLAYORDER: sql`m.display_order`,
} as const

export interface MediumRow extends MediumFields {
  readonly id: bigint
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Agreements that are not terminated. */
  readonly liveAgreements: number
}
export type MediumName = Pick<MediumRow, 'id' | 'name'>

export interface MediumFilter {
  /** Normalised search words; each must occur in name or code, or equal the id. */
  readonly words: readonly string[]
  readonly isRetired?: boolean | undefined
  readonly today: Day
}

/** SQL condition: the medium is retired. From its day of retirement it takes no new agreements. */
function retiredBy(today: Day): RawBuilder<boolean> {
  return sql<boolean>`(m.retired_on is not null and m.retired_on <= ${today}::date)`
}

/** SQL subquery: the number of media that take new agreements. @param atMost counting stops here */
export function openMediaCount(today: Day, atMost: number): RawBuilder<bigint> {
  return countOf(sql`media m where not ${retiredBy(today)}`, atMost)
}

export function listMedia(
  database: Database,
  { words, isRetired, today }: MediumFilter,
  order: MediumOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:medium.'>,
): Promise<{ total: number; nodes: MediumRow[] }> {
  const [column, direction] = splitOrder(order)
  const reader = database.reader(permit.scope)
  const text = sql`app.search_text(m.name) || ' ' || app.search_text(m.code) || ' ' || m.id`
  const retired = retiredBy(today)
  const list = {
    from: sql`media m`,
    id: sql`m.id`,
    where: [
      ...(words.length === 0 ? [] : [holdsWords(text, words)]),
      ...(isRetired === undefined ? [] : [isRetired ? retired : sql<boolean>`not ${retired}`]),
      sql<boolean>`true`,
    ],
    order: ORDER_COLUMNS[column],
    direction,
    ...page,
  }
  return pageOf(reader, list, async ids => inOrderOf(ids, await findMedia(reader, ids, today), row => row.id))
}

export async function showMedium(
  database: Database,
  id: bigint,
  today: Day,
  permit: Permit<'read:show', 'insight:medium.'>,
): Promise<MediumRow | undefined> {
  return (await findMedia(database.reader(permit.scope), [id], today))[0]
}

/** Media by id with their number of agreements; not necessarily in the order of `ids`. */
export async function findMedia(reader: Reader, ids: readonly bigint[], today: Day): Promise<MediumRow[]> {
  const rows = await reader
    .selectFrom('media as m')
    .select(MEDIUM_FIELD_NAMES.map(name => `m.${name}` as const))
    .select(['m.id', 'm.revision', 'm.createdAt', 'm.updatedAt'])
    .select(
      sql<bigint>`(select count(*) from agreements a
        where a.medium_id = m.id and not app.is_terminated(a.terminated_at, ${today}::date))`.as('liveAgreements'),
    )
    .where('m.id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .execute()
  return rows.map(row => ({
    ...row,
    retiredOn: row.retiredOn as Day | null,
    liveAgreements: Number(row.liveAgreements),
  }))
}

/** All media for staff, retired ones included; for publishers those on which they have an agreement. */
export function listAvailableMedia(
  database: Database,
  permit: Permit<'read:list', 'insight:agreement.'>,
): Promise<MediumName[]> {
  return database.inScope(permit.scope, tx =>
    tx
      .selectFrom('media as m')
      .select(['m.id', 'm.name'])
      .$if(permit.scope.kind !== 'all', query =>
        query.where('m.id', 'in', eb =>
          eb.selectFrom('agreements as a').select('a.mediumId').where(agreementScope(permit)),
        ),
      )
      .orderBy('m.displayOrder')
      .orderBy('m.id')
      .execute(),
  )
}

/** The permit's scope as SQL condition; row-level security enforces the same again. */
function agreementScope(permit: Permit) {
  return ownRows(permit, {
    organization: id => sql<boolean>`a.organization_id = ${id}`,
    agreements: uid => isOfOwnAgreement(sql`a.id`, uid),
  })
}
