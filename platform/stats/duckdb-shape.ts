import fs from 'node:fs'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { StatsStoreError } from './stats-store-error.ts'
import { DIMENSION_TABLES, DIMENSIONS, LIFETIMES, TABLES, type Table } from './tables.ts'

/** The tables that imports fill. */
export const STORED: Readonly<Record<string, Table>> = { ...TABLES, ...LIFETIMES }

/**
 * Checks a file read-only, so that the version that wrote it can still use it.
 * @throws StatsStoreError `outdated` when it has other tables
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

/**
 * In tables of another shape rows would go to wrong columns, and a new roll-up would lack old rows.
 * @throws StatsStoreError
 */
export async function refuseOtherTables(file: string, connection: DuckDBConnection): Promise<void> {
  const stored = await storedColumns(connection)
  if (stored.size === 0) return
  const isOther = (name: string, { columns }: Table) =>
    stored.get(name)?.join(',') !== columns.map(([column]) => column).join(',')
  // A missing dimension is no problem: it is filled from PostgreSQL.
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

/** Column names by table, in their order. */
export async function storedColumns(connection: DuckDBConnection): Promise<ReadonlyMap<string, readonly string[]>> {
  const reader = await connection.runAndReadAll(
    `select table_name, string_agg(column_name, ',' order by column_index) from duckdb_columns()
     where database_name = current_database() and schema_name = 'main' group by table_name`,
  )
  return new Map(reader.getRows().map(([name, columns]) => [String(name), String(columns).split(',')]))
}
