import fs from 'node:fs'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { storedColumns } from './duckdb-shape.ts'
import { FACT_TABLES, type FactTable, isDeliveredLater, TABLES } from './tables.ts'

/** Rows of one batch and table, in a Parquet file whose columns are those of the table. */
export interface ExportedFacts {
  readonly table: FactTable
  readonly file: string
  readonly rows: bigint
}

/** Read-only access to the facts in a file of another version. */
export class OutdatedStatisticsFile {
  readonly #db: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #columns: ReadonlyMap<string, readonly string[]>

  private constructor(
    db: DuckDBInstance,
    connection: DuckDBConnection,
    columns: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#db = db
    this.#connection = connection
    this.#columns = columns
  }

  static async open(file: string): Promise<OutdatedStatisticsFile> {
    const db = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '1' })
    try {
      const connection = await db.connect()
      return new OutdatedStatisticsFile(db, connection, await storedColumns(connection))
    } catch (cause) {
      db.closeSync()
      throw cause
    }
  }

  /** Facts of a batch in tables whose columns are unchanged. */
  async countFacts(batchNo: bigint): Promise<bigint> {
    let rows = 0n
    for (const name of this.#sameTables())
      rows += await this.#run(`select count(*) from ${name} where batch_no = ${batchNo}`)
    return rows
  }

  /** Exports the facts of a batch as Parquet files into a folder. */
  async exportFacts(batchNo: bigint, folder: string): Promise<readonly ExportedFacts[]> {
    const facts: ExportedFacts[] = []
    for (const table of this.#sameTables()) {
      const file = path.join(folder, `${table}.parquet`)
      const stored = this.#columns.get(table)
      const columns = TABLES[table].columns
        .map(([column]) => (stored?.includes(column) ? column : `0::bigint as ${column}`))
        .join(', ')
      const rows = await this.#run(
        `copy (select ${columns} from ${table} where batch_no = ${batchNo}) to '${file.replaceAll("'", "''")}' (format parquet)`,
      )
      if (rows > 0n) facts.push({ table, file, rows })
    }
    return facts
  }

  close(): void {
    this.#connection.closeSync()
    this.#db.closeSync()
  }

  #sameTables(): readonly FactTable[] {
    return FACT_TABLES.filter(name =>
      TABLES[name].columns.every(([column]) => isDeliveredLater(column) || this.#columns.get(name)?.includes(column)),
    )
  }

  async #run(text: string): Promise<bigint> {
    return BigInt((await this.#connection.runAndReadAll(text)).getRows()[0]![0] as bigint)
  }
}

const NEXT = '.rebuilding'

/** Path of the file that is built beside an outdated one. */
export const nextFileOf = (file: string) => `${file}${NEXT}`

export function removeNextFile(file: string): void {
  for (const name of ['', '.wal', '.tmp']) fs.rmSync(`${nextFileOf(file)}${name}`, { recursive: true, force: true })
}

/**
 * Replaces the old file by the new, closed one. If the process dies in between, the next start finds the old file
 * without its log, which is not needed, and the new file.
 */
export function putNextFileInPlace(file: string): void {
  fs.rmSync(`${file}.wal`, { force: true })
  renameDurably(nextFileOf(file), file)
}

/** Renames a file and flushes the folder, so that the new name survives a power cut. */
export function renameDurably(from: string, file: string): void {
  fs.renameSync(from, file)
  const folder = fs.openSync(path.dirname(file), 'r')
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}
