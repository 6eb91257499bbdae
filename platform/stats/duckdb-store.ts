import fs from 'node:fs'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { AnswerCache } from './answer-cache.ts'
import { compactMonth, MONTH_WRITES_COLUMNS, monthWrites, unorderedMonths } from './duckdb-compaction.ts'
import { ask, duckDbDialect, duckDbQuestion, select } from './duckdb-dialect.ts'
import { dimensionColumns, putDuckDbDimension } from './duckdb-dimensions.ts'
import { openingError } from './duckdb-error.ts'
import { beginDuckDbImport, columnDefinitions } from './duckdb-import.ts'
import { DuckDbReaders, stoppable } from './duckdb-readers.ts'
import { refuseOtherFile, refuseOtherTables, STORED } from './duckdb-shape.ts'
import { DuckDbSnapshot } from './duckdb-snapshot.ts'
import { Mutex } from './mutex.ts'
import { renameDurably } from './outdated-statistics-file.ts'
import type { ImportRun, Query, QueryOptions, Row, StatsStore } from './port.ts'
import { checksum, countBatches } from './publication.ts'
import { ReaderGate } from './reader-gate.ts'
import { type Dialect, type Sql, sql, table } from './sql.ts'
import { StatsStoreError } from './stats-store-error.ts'
import { DIMENSION_TABLES, FACT_TABLES } from './tables.ts'

export interface DuckDbSettings {
  /** Path of the store's file; its folder is created. Temporary files go to `<file>.tmp`. */
  readonly file: string
  /** For example `512MB`. Limits DuckDB's buffer pool only: the process takes 350 to 650 MB more under load. */
  readonly memoryLimit: string
  /** Statements that run in parallel (at least two). Each may use half of this number of threads. */
  readonly threads: number
}

const MAX_TEMP_SIZE = '32GB'
const LEDGER = 'import_ledger'
const LEDGER_COLUMNS =
  'batch_no Int64 not null, table_name varchar not null, row_count Int64 not null, content hugeint not null'
/** Two instances on one file in one process lose commits without an error (docs/adr/0004). */
const openFiles = new Set<string>()

/**
 * Opens the embedded statistics store, creates missing tables and merges the write-ahead log of an earlier process. One
 * process and one store for each file.
 * @throws StatsStoreError with recovery steps
 */
export async function openDuckDb(settings: DuckDbSettings): Promise<StatsStore> {
  const file = path.resolve(settings.file)
  if (openFiles.has(file))
    throw new StatsStoreError('locked', `The statistics store ${file} is already open in this process.`)
  openFiles.add(file)
  // DuckDB deletes its write-ahead log at an orderly close.
  const wasClosedInOrder = !fs.existsSync(`${file}.wal`)
  try {
    await refuseOtherFile(file)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    if (wasClosedInOrder && !fs.existsSync(file)) await createFile(file)
    const db = await DuckDBInstance.fromCache(file, {
      // Several single statements in parallel use the processors better than one statement over all threads (measured,
      // docs/adr/0004).
      threads: String(Math.max(1, Math.floor(settings.threads / 2))),
      memory_limit: settings.memoryLimit,
      temp_directory: `${file}.tmp`,
      // With this format, an old log beside a checkpointed file is refused instead of doubling rows.
      storage_compatibility_version: 'latest',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const connection = await db.connect()
    try {
      await connection.run(`set max_temp_directory_size = '${MAX_TEMP_SIZE}'`) // is ignored among the options above
      const dialect = await prepareTables(file, connection)
      await checkpoint(connection)
      return new DuckDbStore(file, db, dialect, settings.threads, wasClosedInOrder)
    } catch (cause) {
      db.closeSync()
      throw cause
    } finally {
      connection.closeSync()
    }
  } catch (cause) {
    openFiles.delete(file)
    throw openingError(file, cause)
  }
}

/** Creates an empty store under a draft name: a full disk or a kill would leave a file that no start can open. */
async function createFile(file: string): Promise<void> {
  const unfinished = `${file}.creating`
  for (const name of [unfinished, `${unfinished}.wal`]) fs.rmSync(name, { force: true })
  const db = await DuckDBInstance.create(unfinished, { storage_compatibility_version: 'latest', threads: '1' })
  try {
    const connection = await db.connect()
    await connection.run('checkpoint')
    connection.closeSync()
  } finally {
    db.closeSync()
  }
  renameDurably(unfinished, file)
}

/** Retries the checkpoint, which DuckDB refuses while another transaction writes. After opening, that is brief. */
async function checkpoint(connection: DuckDBConnection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.run('checkpoint')
      return
    } catch (cause) {
      if (attempt === 5 || !/transaction/i.test(String(cause))) throw cause
      await new Promise(resolve => setTimeout(resolve, 20 * attempt))
    }
  }
}

async function prepareTables(file: string, connection: DuckDBConnection): Promise<Dialect> {
  const reader = await connection.runAndReadAll('select current_database()')
  const catalog = `"${String(reader.getRows()[0]![0]).replaceAll('"', '""')}"`
  const qualified = (name: string) => `${catalog}.main.${name}`
  await refuseOtherTables(file, connection)
  // No primary keys or indexes: an index can lose entries after a crash. The import guarantees uniqueness.
  await connection.run('begin transaction')
  for (const [name, table] of Object.entries(STORED)) {
    await connection.run(`create table if not exists ${qualified(name)} (${columnDefinitions(table)})`)
  }
  await connection.run(`create table if not exists ${qualified(LEDGER)} (${LEDGER_COLUMNS})`)
  const dialect = duckDbDialect(qualified)
  for (const name of DIMENSION_TABLES) {
    await connection.run(`create table if not exists ${qualified(name)} (${dimensionColumns(name)})`)
  }
  await connection.run(`create table if not exists ${monthWrites(dialect)} (${MONTH_WRITES_COLUMNS})`)
  await connection.run('commit')
  return dialect
}

class DuckDbStore implements StatsStore {
  readonly engine = 'duckdb'
  readonly wasClosedInOrder: boolean
  readonly #file: string
  readonly #db: DuckDBInstance
  readonly #dialect: Dialect
  readonly #readers: DuckDbReaders
  readonly #answers = new AnswerCache()
  readonly #gate = new ReaderGate(() => this.#answers.clear())
  readonly #importMutex = new Mutex()
  #running: ImportRun | undefined
  #isClosed = false

  constructor(file: string, db: DuckDBInstance, dialect: Dialect, threads: number, wasClosedInOrder: boolean) {
    this.wasClosedInOrder = wasClosedInOrder
    this.#file = file
    this.#db = db
    this.#dialect = dialect
    this.#readers = new DuckDbReaders(db, Math.max(2, threads))
  }

  query: StatsStore['query'] = (statement, options = {}) =>
    this.#read(connection => this.#known(connection, statement, options))

  /** The cached answer, or that of the engine. Only inside of the gate. */
  #known(connection: DuckDBConnection, statement: Sql, options: QueryOptions): Promise<Row[]> {
    options.signal?.throwIfAborted()
    const question = duckDbQuestion(statement, this.#dialect)
    return this.#answers.answer({ ...question, ...options }, () =>
      stoppable(connection, options, () => ask(connection, question)),
    )
  }

  /**
   * Enters the gate before taking a connection: a reader that waits at the gate must not hold a connection that a
   * request inside needs.
   */
  #read<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#gate.read(() => this.#readers.use(work))
  }

  snapshot: StatsStore['snapshot'] = work => this.#inSnapshot(query => work(query))

  /**
   * Like `snapshot`; `work` also gets the connection, to read the import ledger, which the port's statements cannot
   * name. It needs no transaction, because nobody commits while a reader is inside of the gate.
   */
  #inSnapshot<T>(work: (query: Query, connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#read(async connection => {
      const statements = new DuckDbSnapshot(connection, this.#readers)
      const query: Query = (statement, options = {}) => statements.run(each => this.#known(each, statement, options))
      try {
        return await work(query, connection)
      } finally {
        await statements.ended()
      }
    })
  }

  beginImport: StatsStore['beginImport'] = async scope => {
    const leave = await this.#importMutex.enter()
    let connection: DuckDBConnection | undefined
    try {
      if (this.#isClosed) throw new Error('the statistics store is closed')
      connection = await this.#db.connect()
      const run = await beginDuckDbImport(connection, this.#dialect, this.#gate, scope, () => {
        this.#running = undefined
        leave()
      })
      this.#running = run
      return run
    } catch (cause) {
      // An open connection would keep the DuckDB instance alive after a failure, and a new open would wait for garbage
      // collection.
      connection?.closeSync()
      leave()
      throw cause
    }
  }

  publishedBatches: StatsStore['publishedBatches'] = () => this.snapshot(countBatches)

  damagedBatches: StatsStore['damagedBatches'] = () =>
    this.#inSnapshot(async (_query, connection) => {
      const ledger = await connection.runAndReadAll(
        `select batch_no, table_name, row_count, content from ${this.#dialect.fragments.table(LEDGER)}`,
      )
      const expected = new Map(
        ledger.getRows().map(([batch, name, ...content]) => [`${batch} ${name}`, content.join(' ')]),
      )
      const found = new Map<string, string>()
      for (const name of FACT_TABLES) {
        // Bypasses the cache, because the file itself is being checked.
        const rows = await select(
          connection,
          sql`select batch_no, count(*) as row_count, ${checksum(name)} as content from ${table(name)} group by batch_no`,
          this.#dialect,
        )
        for (const row of rows) found.set(`${row.batch_no} ${name}`, `${row.row_count} ${row.content}`)
      }
      const keys = [...new Set([...expected.keys(), ...found.keys()])]
      const damaged = keys.filter(key => expected.get(key) !== found.get(key)).map(key => BigInt(key.split(' ')[0]!))
      return [...new Set(damaged)].sort((a, b) => (a < b ? -1 : 1))
    })

  putDimension: StatsStore['putDimension'] = async (name, rows) => {
    const leave = await this.#importMutex.enter()
    try {
      if (this.#isClosed) throw new Error('the statistics store is closed')
      const connection = await this.#db.connect()
      try {
        await putDuckDbDimension(connection, this.#dialect, this.#gate, name, rows)
      } finally {
        connection.closeSync()
      }
    } finally {
      leave()
    }
  }

  compact: StatsStore['compact'] = async before => {
    const leave = await this.#importMutex.enter()
    try {
      if (this.#isClosed) return []
      const connection = await this.#db.connect()
      try {
        const months = await unorderedMonths(connection, this.#dialect, before)
        for (const month of months) await compactMonth(connection, this.#dialect, this.#gate, month)
        if (months.length > 0) await checkpoint(connection)
        return months
      } finally {
        connection.closeSync()
      }
    } finally {
      leave()
    }
  }

  close: StatsStore['close'] = async () => {
    if (this.#isClosed) return
    this.#isClosed = true
    const readersEnded = this.#readers.close()
    await this.#running?.discard()
    await readersEnded
    this.#db.closeSync()
    openFiles.delete(this.#file)
  }
}
