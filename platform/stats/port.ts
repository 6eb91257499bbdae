import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Sql } from './sql.ts'
import type { DimensionTable, FactTable } from './tables.ts'

/**
 * Integers are bigint, days are 'YYYY-MM-DD', doubles are number. Statements must not select a bare comparison, because
 * the engines return different types.
 */
export type Value = bigint | number | string | boolean | null
export type Row = Readonly<Record<string, Value>>

export interface QueryOptions {
  /** Cancels the statement in the engine; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Time limit, default 30 s. @throws StatsTimeoutError */
  readonly timeoutMs?: number
}
export type Query = (statement: Sql, options?: QueryOptions) => Promise<Row[]>

/** What a publication changes: the new batch, and the batches that it replaces. */
export interface ImportScope {
  readonly batchNo: bigint
  readonly replacesBatchNos: readonly bigint[]
  /** Every month in which the new or a replaced batch has rows; their roll-ups are rebuilt. */
  readonly months: readonly YearMonth[]
}

export interface ImportRun {
  /** Stages rows, invisible to readers. Values are in the order of the table's columns. */
  append(table: FactTable, rows: readonly (readonly (bigint | string | null)[])[]): Promise<void>
  /** Stages the rows of a Parquet file with the table's columns (by name). Faster for large batches. */
  load(table: FactTable, parquetFile: string): Promise<void>
  /** Like {@link StatsStore.query}, over the staged rows only. There are no roll-ups. */
  query(statement: Sql): Promise<Row[]>
  /**
   * Publishes the batch atomically: it replaces its own earlier rows and the replaced batches, and the months' roll-ups
   * are rebuilt. Repeating it with the same content has the same result. Ends the run; a failure changes nothing.
   * @throws RangeError when a staged row is outside of `months` or belongs to another batch
   */
  publish(): Promise<void>
  /** Drops the staged rows. Idempotent, also after publish(). Required for a run that is not published. */
  discard(): Promise<void>
}

/** Values of a row of a `DIMENSIONS` table, in column order. */
export type DimensionRow = readonly bigint[]

/**
 * Readers in every process see one published state across all tables: a publication is visible completely or not at
 * all, and to every reader that starts after `publish` has resolved. All reads of one GraphQL query see the same state
 * (`request-scope.ts`). A process that is killed at any point leaves the previous publication intact.
 */
export interface StatsStore {
  readonly engine: 'duckdb' | 'clickhouse'
  /**
   * Creates missing tables after PostgreSQL was migrated. Idempotent, and run by the first use. DuckDB has no such
   * step.
   */
  prepare?(): Promise<void>
  /** Runs one statement over one published state. */
  query: Query
  /**
   * Runs several statements over one published state, for reports whose figures must add up. `work` must only use its
   * own `query`: another call of the store could deadlock.
   * @throws StatsTimeoutError from `query` when it takes longer than replaced rows are kept (ClickHouse)
   */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** One run at a time; a second call waits for the first. */
  beginImport(scope: ImportScope): Promise<ImportRun>
  /**
   * Row counts over all tables by batch, for the start-up check against the ledger. On ClickHouse, rows without a
   * publication (after a restore) are hidden first.
   */
  publishedBatches(): Promise<ReadonlyMap<bigint, bigint>>
  /**
   * Replaces the dimension rows of the contents that `rows` names, atomically for readers. Waits for a running import.
   * Without rows nothing happens.
   */
  putDimension(name: DimensionTable, rows: AsyncIterable<readonly DimensionRow[]>): Promise<void>
  /**
   * Batches whose rows differ from what was published (damaged file) and must be imported again. Reads every row.
   * Always empty on ClickHouse, which checks its own parts.
   */
  damagedBatches(): Promise<readonly bigint[]>
  /**
   * The last process merged its log into the file and closed it. The file's own checksums then cover every row, and a
   * full check at start is not needed.
   */
  readonly wasClosedInOrder?: boolean
  /**
   * DuckDB: sorts months before `before` that daily imports have left unsorted. ClickHouse: merges versions of all
   * months and deletes those that no reader needs. Results do not change; waits for a running import.
   * @returns the months rewritten
   */
  compact(before: YearMonth): Promise<readonly YearMonth[]>
  /** Waits for running statements. */
  close(): Promise<void>
}
