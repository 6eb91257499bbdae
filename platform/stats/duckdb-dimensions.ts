import { BIGINT, type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { duckDbError } from './duckdb-error.ts'
import type { DimensionRow } from './port.ts'
import type { ReaderGate } from './reader-gate.ts'
import type { Dialect } from './sql.ts'
import { DIMENSIONS, type DimensionTable } from './tables.ts'

export const dimensionColumns = (name: DimensionTable): string =>
  DIMENSIONS[name].columns.map(([column, type]) => `${column} ${type} not null`).join(', ')
const CHUNK_ROWS = 2048
/** Below the size at which DuckDB inserts with several threads; see `duckdb-insert.ts`. */
const PIECE_ROWS = 100_000n

/**
 * Stages the rows in a temporary table and replaces the rows of the same contents in one transaction.
 * Tested by `features/ingest/server/publishing/import-labels.test.ts`.
 */
export async function putDuckDbDimension(
  connection: DuckDBConnection,
  published: Dialect,
  gate: ReaderGate,
  name: DimensionTable,
  rows: AsyncIterable<readonly DimensionRow[]>,
): Promise<void> {
  const into = published.fragments.table(name)
  const { key, of } = DIMENSIONS[name]
  try {
    await connection.run(`create temp table staged_rows (${dimensionColumns(name)})`)
    for await (const some of rows) await append(connection, some)
    await connection.run(
      `create temp table ordered_rows as select * from temp.main.staged_rows order by ${key.join(', ')}`,
    )
    const reader = await connection.runAndReadAll('select min(rowid), max(rowid) from temp.main.ordered_rows')
    const [first, last] = reader.getRows()[0] as [bigint | null, bigint | null]
    if (first === null || last === null) return
    await connection.run('begin transaction')
    try {
      await connection.run(`delete from ${into} where ${of} in (select distinct ${of} from temp.main.ordered_rows)`)
      for (let start = first; start <= last; start += PIECE_ROWS) {
        await connection.run(
          `insert into ${into} select * from temp.main.ordered_rows where rowid >= ${start} and rowid < ${start + PIECE_ROWS}`,
        )
      }
      await gate.write(async () => void (await connection.run('commit')))
    } catch (cause) {
      await connection.run('rollback').catch(() => undefined)
      throw cause
    }
  } catch (cause) {
    throw duckDbError(cause)
  }
}

async function append(connection: DuckDBConnection, rows: readonly DimensionRow[]): Promise<void> {
  const appender = await connection.createAppender('staged_rows', 'main', 'temp')
  try {
    for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
      const slice = rows.slice(start, start + CHUNK_ROWS)
      const width = slice[0]!.length
      const chunk = DuckDBDataChunk.create(Array(width).fill(BIGINT), slice.length)
      for (let column = 0; column < width; column += 1) {
        chunk.setColumnValues(
          column,
          slice.map(row => row[column]!),
        )
      }
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}
