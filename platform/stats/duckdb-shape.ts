import fs from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { StatsStoreError } from './stats-store-error.ts'
import { DIMENSION_TABLES, DIMENSIONS, LIFETIMES, TABLES, type Table } from './tables.ts'

/** The tables that imports fill. */
export const STORED: Readonly<Record<string, Table>> = { ...TABLES, ...LIFETIMES }

/**
 * Looks at a file without writing to it: the version that wrote it can still use it afterwards.
 * @throws StatsStoreError `outdated` when it was written by a version with other tables
 */
export async function refuseOtherFile(file: string): Promise<void> {
  if (!fs.existsSync(file)) return
  let db: DuckDBInstance
  try {
    db = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '1' })
  } catch {
    return // Opening it for writing fails too, and says why.
  }
  try {
    const connection = await db.connect()
    try {
      await refuseOtherTables(file, connection)
    } finally {
      connection.closeSync()
    }
  } finally {
    db.closeSync()
  }
}

/** In other tables rows would land in wrong columns, and a new roll-up would lack old rows. */
export async function refuseOtherTables(file: string, connection: DuckDBConnection): Promise<void> {
  const stored = await storedColumns(connection)
  if (stored.size === 0) return
  const isOther = (name: string, { columns }: Table) =>
    stored.get(name)?.join(',') !== columns.map(([column]) => column).join(',')
  // A dimension that is missing is filled again from PostgreSQL.
  const dimensions = DIMENSION_TABLES.filter(name => stored.has(name) && isOther(name, DIMENSIONS[name]))
  const other = [...Object.keys(STORED).filter(name => isOther(name, STORED[name]!)), ...dimensions][0]
  if (other === undefined) return
  throw new StatsStoreError(
    'outdated',
    [
      `The statistics store ${file} was written by another version: the table ${other} differs.`,
      'Start the server (npm start): it builds the store again from the kept deliveries.',
    ].join('\n'),
  )
}

/** Table → its columns in their order. */
export async function storedColumns(connection: DuckDBConnection): Promise<ReadonlyMap<string, readonly string[]>> {
  const reader = await connection.runAndReadAll(
    `select table_name, string_agg(column_name, ',' order by column_index) from duckdb_columns()
     where database_name = current_database() and schema_name = 'main' group by table_name`,
  )
  return new Map(reader.getRows().map(([name, columns]) => [String(name), String(columns).split(',')]))
}
