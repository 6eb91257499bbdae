/** How a value is written in a PostgreSQL array literal: numbers as they are, texts in quotes. */
export type LiteralKind = 'number' | 'text'

/**
 * SQL of one row that holds each column of a relation as a PostgreSQL array literal, all in the given order; a column of
 * an empty relation is NULL. The engine writes these texts, so that no object per row is made between the two databases.
 * @param columns SQL of each column over `from`
 */
export function arrayLiterals(
  columns: Readonly<Record<string, readonly [sql: string, kind: LiteralKind]>>,
  from: string,
  order: string,
): string {
  const literals = Object.entries(columns).map(
    ([name, [sql, kind]]) => `'{' || string_agg(${element(sql, kind)}, ',' order by ${order}) || '}' as ${name}`,
  )
  return `select ${literals.join(', ')} from ${from}`
}

function element(sql: string, kind: LiteralKind): string {
  if (kind === 'number') return `coalesce(cast(${sql} as varchar), 'NULL')`
  return `coalesce('"' || replace(replace(${sql}, '\\', '\\\\'), '"', '\\"') || '"', 'NULL')`
}
