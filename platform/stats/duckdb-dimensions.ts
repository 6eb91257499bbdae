import { BIGINT, type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { duckDbError } from './duckdb-error.ts'
import type { ArticleLabel } from './port.ts'
import type { ReaderGate } from './reader-gate.ts'
import type { Dialect } from './sql.ts'
import { DIMENSIONS } from './tables.ts'

const COLUMNS = DIMENSIONS.article_label.columns.map(([name]) => name)
export const LABEL_COLUMNS = COLUMNS.map(name => `${name} Int64 not null`).join(', ')
const ORDER = DIMENSIONS.article_label.key.join(', ')
const CHUNK_ROWS = 2048
/** Below the size from which several threads insert: see `duckdb-insert.ts`. */
const PIECE_ROWS = 100_000n

/** Staged in a temporary table, then exchanged for what these articles had, in one transaction. */
export async function putDuckDbLabels(
  connection: DuckDBConnection,
  published: Dialect,
  gate: ReaderGate,
  labels: AsyncIterable<readonly ArticleLabel[]>,
): Promise<void> {
  const into = published.fragments.table('article_label')
  try {
    await connection.run(`create temp table staged_labels (${LABEL_COLUMNS})`)
    for await (const rows of labels) await append(connection, rows)
    await connection.run(`create temp table ordered_labels as select * from temp.main.staged_labels order by ${ORDER}`)
    const reader = await connection.runAndReadAll('select min(rowid), max(rowid) from temp.main.ordered_labels')
    const [first, last] = reader.getRows()[0] as [bigint | null, bigint | null]
    if (first === null || last === null) return
    await connection.run('begin transaction')
    try {
      await connection.run(
        `delete from ${into} where article_id in (select distinct article_id from temp.main.ordered_labels)`,
      )
      for (let start = first; start <= last; start += PIECE_ROWS) {
        await connection.run(
          `insert into ${into} select * from temp.main.ordered_labels where rowid >= ${start} and rowid < ${start + PIECE_ROWS}`,
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

async function append(connection: DuckDBConnection, rows: readonly ArticleLabel[]): Promise<void> {
  const appender = await connection.createAppender('staged_labels', 'main', 'temp')
  try {
    for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
      const slice = rows.slice(start, start + CHUNK_ROWS)
      const chunk = DuckDBDataChunk.create(Array(COLUMNS.length).fill(BIGINT), slice.length)
      const columns: readonly (readonly bigint[])[] = [
        slice.map(row => row.publisherId),
        slice.map(row => row.articleId),
        slice.map(row => row.kindNo),
        slice.map(row => row.labelId),
        slice.map(row => row.batchNo),
      ]
      columns.forEach((values, index) => {
        chunk.setColumnValues(index, values)
      })
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}
