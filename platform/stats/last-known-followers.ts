import { intDiv, type Sql, sql } from './sql.ts'

/**
 * A level (followers) cannot be summed over days: what counts is the last value known. The engines differ in arg_max,
 * so day and value travel in one integer, and the greatest one holds the last day's value: exact for values below
 * 2^40 and days until 2149. Several batches may deliver the same day: the greatest value counts.
 */
const SHIFT = 1_099_511_627_776n

/** Of a row with `date` and `follower`, to be compared with others. */
export const KNOWN_FOLLOWER: Sql = sql`cast(date - cast('1970-01-01' as date) as Int64) * ${SHIFT} + follower`

/** Aggregate over rows with `date` and `follower`; NULL when no follower is known. */
export const LAST_KNOWN_FOLLOWER: Sql = sql`max(${KNOWN_FOLLOWER})`

/** The followers of what {@link KNOWN_FOLLOWER} and {@link LAST_KNOWN_FOLLOWER} gave. */
export function followerOf(lastKnown: Sql): Sql {
  return sql`(${lastKnown} - ${intDiv(lastKnown, sql`${SHIFT}`)} * ${SHIFT})`
}
