import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** By id, of those publishers that the reader's scope may see. One list is one parameter: the statement stays prepared. */
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

/** The greatest id among the publishers that the reader's scope may see; 0 when there are none. */
export async function readLastPublisherId(reader: Reader): Promise<bigint> {
  const row = await reader.selectFrom('publishers').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0n
}
