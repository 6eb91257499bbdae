import { DuckDBInstance } from '@duckdb/node-api'

/** Runs statements on a statistics file that no process has open. */
export async function changeDuckDbFile(file: string, statements: readonly string[]): Promise<void> {
  const db = await DuckDBInstance.create(file)
  const connection = await db.connect()
  try {
    for (const statement of statements) await connection.run(statement)
  } finally {
    connection.closeSync()
    db.closeSync()
  }
}
