import { type RawBuilder, sql } from 'kysely'

/**
 * Subquery that counts rows.
 * @param rows everything after `from`, with conditions
 * @param atMost stops counting there, where a larger number does not matter
 */
export function countOf(rows: RawBuilder<unknown>, atMost?: number): RawBuilder<bigint> {
  return atMost === undefined
    ? sql<bigint>`(select count(*) from ${rows})`
    : sql<bigint>`(select count(*) from (select from ${rows} limit ${atMost}) counted)`
}
