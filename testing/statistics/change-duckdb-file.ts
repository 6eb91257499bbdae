import { DuckDBInstance } from '@duckdb/node-api'

/** Runs statements in a statistics file that nobody has open. */
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
