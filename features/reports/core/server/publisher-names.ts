import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { CommonOrder } from './report-order.ts'

/** Names by id within the reader's scope. Ids are passed as one array, so that the prepared statement is reused. */
export async function readPublisherNames(
  reader: Reader,
  publisherIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (publisherIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('publishers')
    .select(['id', 'name'])
    .where('id', '=', sql<bigint>`any(${publisherIds}::bigint[])`)
    .execute()
  return new Map(rows.map(row => [row.id, row.name]))
}

/** A page of the given ids in a common order; ids outside the reader's scope come last. */
export async function pageOfPublishers(
  reader: Reader,
  publisherIds: readonly bigint[],
  { by, isDescending }: CommonOrder,
  page: Page,
): Promise<readonly bigint[]> {
  const way = isDescending ? sql`desc` : sql`asc`
  const first = {
    ID: sql``,
    CREATEDAT: sql`p.created_at ${way} nulls last,`,
    UPDATEDAT: sql`p.updated_at ${way} nulls last,`,
  }
  const { rows } = await sql<{ id: bigint }>`
    select given.id from unnest(${publisherIds}::bigint[]) as given (id) left join publishers p on p.id = given.id
    order by ${first[by]} given.id ${way} limit ${page.limit} offset ${page.offset}`.execute(reader)
  return rows.map(row => row.id)
}

/** The greatest publisher id within the reader's scope; 0 when there is none. */
export async function readLastPublisherId(reader: Reader): Promise<bigint> {
  const row = await reader.selectFrom('publishers').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0n
}
