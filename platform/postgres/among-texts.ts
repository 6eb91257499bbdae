import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a column has one of the values, which are names of the code (states, kinds) and never what somebody typed. A single
 * one stands in the statement as a constant: by that a partial index is known to hold what is asked for.
 */
export function isAmong(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  const [only, ...others] = values
  return only !== undefined && others.length === 0
    ? sql<boolean>`${column} = ${sql.lit(only)}`
    : sql<boolean>`${column} = any (${`{${values.join(',')}}`}::text::text[])`
}
