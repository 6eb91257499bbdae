import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Sql } from './sql.ts'
import type { DimensionTable, FactTable } from './tables.ts'

/** Integers of every width are bigint, days are 'YYYY-MM-DD', doubles are number. A statement never selects a bare comparison. */
export type Value = bigint | number | string | boolean | null
export type Row = Readonly<Record<string, Value>>

export interface QueryOptions {
  /** Cancels the statement in the engine; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Default: 30 s. @throws StatsTimeoutError */
  readonly timeoutMs?: number
}
export type Query = (statement: Sql, options?: QueryOptions) => Promise<Row[]>

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
  /** Adds the rows of a Parquet file that has the table's columns (by name): the fast way for large batches. */
  load(table: FactTable, parquetFile: string): Promise<void>
  /** The same statements as {@link StatsStore.query}, over the staged rows only (roll-ups do not exist there). */
  query(statement: Sql): Promise<Row[]>
  /**
   * Makes the batch visible whole: its rows replace its own earlier ones and those of the replaced batches, and the
   * roll-ups of the months are rebuilt. Repeating a publication of the same content gives the same store.
   * Ends the run. When it fails nothing has changed.
   * @throws RangeError when a staged row lies outside `months` or belongs to another batch
   */
  publish(): Promise<void>
  /** Drops what was staged. Idempotent; also right after publish(). A run that is not published must be discarded. */
  discard(): Promise<void>
}

/** Of a table of `DIMENSIONS`: the values of its columns, in their order. */
export type DimensionRow = readonly bigint[]

/**
 * Whatever a reader is answered, in any process, is one published state across all tables: a publication shows whole or not
 * at all, and once `publish` has ended every later reader sees it. All that one GraphQL query reads is of one state
 * (`request-scope.ts`). A process that is killed at any point leaves what was
 * published before.
 */
export interface StatsStore {
  readonly engine: 'duckdb' | 'clickhouse'
  /** Makes what is missing, once PostgreSQL is migrated; idempotent, and part of the first use. DuckDB needs none. */
  prepare?(): Promise<void>
  /** One statement over one published state. */
  query: Query
  /**
   * Several statements over one state: a publication in between is not seen. For reports that must add up.
   * `work` must use its own `query` only: another call of the store could wait for the end of this one.
   * @throws StatsTimeoutError from `query` when it lasts longer than the rows of a replaced state are kept (ClickHouse)
   */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** One run at a time; a second call waits for the first. */
  beginImport(scope: ImportScope): Promise<ImportRun>
  /**
   * Batches that have rows in the store, with their row counts over all tables: the start-up check against the ledger.
   * Rows that no publication accounts for, of a restored copy, are hidden first (ClickHouse).
   */
  publishedBatches(): Promise<ReadonlyMap<bigint, bigint>>
  /**
   * What the table says of the contents that are named becomes these rows, in one step for readers. Waits for a running
   * import. No row: nothing happens.
   */
  putDimension(name: DimensionTable, rows: AsyncIterable<readonly DimensionRow[]>): Promise<void>
  /**
   * Batches whose rows are not those that were published (a damaged file): import them again. Reads every row.
   * Always empty for ClickHouse, which checks its own parts.
   */
  damagedBatches(): Promise<readonly bigint[]>
  /**
   * The last process folded its log into the file and closed it: the file's own checksums then cover every row, and
   * reading all of them at start shows nothing new.
   */
  readonly wasClosedInOrder?: boolean
  /**
   * Puts the rows of months before this one in the order in which reports read them, where daily imports have left them
   * in another (DuckDB), or merges versions of all months and removes those that no reader can need (ClickHouse). What
   * statements answer does not change. Waits for a running import. @returns the months rewritten
   */
  compact(before: YearMonth): Promise<readonly YearMonth[]>
  /** Waits for running statements. */
  close(): Promise<void>
}
