import type { DuckDBConnection } from '@duckdb/node-api'
import { renderDuckDb } from './duckdb-dialect.ts'
import { type Dialect, ident, joined, type Sql, sql } from './sql.ts'
import { type LifeTable, TABLES, type TableName } from './tables.ts'

export function keyOf(name: TableName): Sql {
  return joined(
    TABLES[name].key.map(column => ident(column)),
    sql`, `,
  )
}

/** Below the row group size (122,880 rows) from which DuckDB inserts with several threads. */
const PIECE_ROWS = 100_000n

/**
 * Inserts the result of a statement in its order and in small pieces, to avoid two faults of parallel inserts in DuckDB
 * 1.5.6: rows become visible during the commit, and after an insert of no rows, later commits stay invisible until a
 * checkpoint.
 */
export async function insertInPieces(
  connection: DuckDBConnection,
  published: Dialect,
  into: TableName | LifeTable,
  rows: Sql,
  from: Dialect,
): Promise<void> {
  const { text, params } = renderDuckDb(rows, from)
  await connection.run(`create or replace temp table ordered_rows as ${text}`, ...params)
  await moveInPieces(connection, published, into, 'temp.main.ordered_rows')
  await connection.run('drop table temp.main.ordered_rows')
}

/** The same for a temporary table that is already sorted. */
export async function moveInPieces(
  connection: DuckDBConnection,
  published: Dialect,
  into: TableName | LifeTable,
  ordered: string,
): Promise<void> {
  // In a table created in the same transaction, row numbers do not start at 0.
  const reader = await connection.runAndReadAll(`select min(rowid), max(rowid) from ${ordered}`)
  const [first, last] = reader.getRows()[0] as [bigint | null, bigint | null]
  if (first !== null && last !== null) {
    for (let start = first; start <= last; start += PIECE_ROWS) {
      await connection.run(
        `insert into ${published.fragments.table(into)} select * from ${ordered}
         where rowid >= ${start} and rowid < ${start + PIECE_ROWS}`,
      )
    }
  }
}
