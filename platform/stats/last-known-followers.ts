import { intDiv, type Sql, sql } from './sql.ts'

/**
 * Followers are a level: they are not summed over days, the last known value counts. The engines' arg_max differ, so
 * day and value are packed into one integer, whose maximum belongs to the last day. Exact for values below 2^40 and
 * days until 2149; if several batches deliver the same day, the largest value counts.
 */
const SHIFT = 1_099_511_627_776n

/** Packs the `date` and `follower` of a row. */
export const KNOWN_FOLLOWER: Sql = sql`cast(date - cast('1970-01-01' as date) as Int64) * ${SHIFT} + follower`

/** Aggregate: the packed value of the last day with followers; NULL when none is known. */
export const LAST_KNOWN_FOLLOWER: Sql = sql`max(${KNOWN_FOLLOWER})`

/** Unpacks the followers. */
export function followerOf(lastKnown: Sql): Sql {
  return sql`(${lastKnown} - ${intDiv(lastKnown, sql`${SHIFT}`)} * ${SHIFT})`
}
