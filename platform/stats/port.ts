import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Sql } from './sql.ts'
import type { FactTable } from './tables.ts'

/** Integers of every width are bigint, days are 'YYYY-MM-DD', doubles are number. A statement never selects a bare comparison. */
export type Value = bigint | number | string | boolean | null
export type Row = Readonly<Record<string, Value>>

/** What one publication changes: the batch that becomes visible and the ones that disappear with it. */
export interface ImportScope {
  readonly batchNo: bigint
  readonly replacesBatchNos: readonly bigint[]
  /** Every month that the new or a replaced batch has rows in: their roll-ups are rebuilt. */
  readonly months: readonly YearMonth[]
}

export interface ImportRun {
  /** Adds rows to the run's staging table; readers do not see them. Values in the order of the table's columns. */
  append(table: FactTable, rows: readonly (readonly (bigint | string | null)[])[]): Promise<void>
  /** Adds the rows of a Parquet file whose columns are those of the table, in order: the fast way for large batches. */
  load(table: FactTable, parquetFile: string): Promise<void>
  /** The same statements as {@link StatsStore.query}, over the staged rows only. */
  query(statement: Sql): Promise<Row[]>
  /**
   * Makes the batch visible whole: its rows replace its own earlier ones and those of the replaced batches, and the
   * roll-ups of the months are rebuilt. Repeating a publication of the same content gives the same store.
   */
  publish(): Promise<void>
  /** Idempotent; also right after publish(). */
  discard(): Promise<void>
}

export interface StatsStore {
  readonly engine: 'duckdb' | 'clickhouse'
  query(statement: Sql): Promise<Row[]>
  /** One run at a time; a second call waits for the first. */
  beginImport(scope: ImportScope): Promise<ImportRun>
  /** Batches that have rows in the store, with their row counts: the start-up check against the ledger. */
  publishedBatches(): Promise<ReadonlyMap<bigint, bigint>>
  close(): Promise<void>
}
