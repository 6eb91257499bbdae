import { type RawBuilder, sql } from 'kysely'

/**
 * How many rows there are, as a subquery.
 * @param rows what follows `from`, with its conditions
 * @param atMost where more than that need not be told: counting ends there
 */
export function countOf(rows: RawBuilder<unknown>, atMost?: number): RawBuilder<bigint> {
  return atMost === undefined
    ? sql<bigint>`(select count(*) from ${rows})`
    : sql<bigint>`(select count(*) from (select from ${rows} limit ${atMost}) counted)`
}
