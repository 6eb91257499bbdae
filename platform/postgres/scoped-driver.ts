import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { stopIfAborted } from '../request-signal.ts'
import { NamedQuery } from './named-query.ts'
import { PipelinedQuery, type SilentStatement } from './pipelined-query.ts'
import { type FrequentStatements, type PreparedStatement, type Settings, settingStatement } from './prepared-read.ts'
import { isSentWithCommit, statementBeforeCommit } from './sent-with-commit.ts'

/** Above the server's own limit: answers when the server cannot, because it went silent. */
const EXTRA_CLIENT_TIMEOUT_MS = 2_000
const BEGIN_TIMEOUT_MS = 4_000
const COMMIT_TIMEOUT_MS = 8_000

export interface ScopedDriverOptions {
  readonly pool: pg.Pool
  /** Statements that begin the transaction and set its scope, in one message with its first one. */
  readonly begin: readonly SilentStatement[]
  readonly statementTimeoutMs: number
  readonly frequent: FrequentStatements
}

/**
 * A Kysely dialect for exactly one transaction, whose beginning sets the scope. A connection goes back to the pool only
 * after a clean end; whatever else happened to it, it is closed.
 * Tested by `platform/postgres/sent-with-commit.test.ts`.
 */
export function scopedDialect(options: ScopedDriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ScopedDriver(options),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class ScopedDriver implements Driver {
  readonly #options: ScopedDriverOptions
  constructor(options: ScopedDriverOptions) {
    this.#options = options
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<ScopedConnection> {
    stopIfAborted()
    const { pool, statementTimeoutMs, frequent, begin } = this.#options
    const client = await pool.connect()
    return new ScopedConnection(client, statementTimeoutMs + EXTRA_CLIENT_TIMEOUT_MS, frequent, { pool, begin })
  }

  /** Begins with its first statement. */
  async beginTransaction(): Promise<void> {}

  /** COMMIT of a transaction in which a statement failed answers ROLLBACK and no error: nothing was saved. */
  async commitTransaction(connection: ScopedConnection): Promise<void> {
    stopIfAborted() // who was answered that nothing came of it must be able to rely on that
    const command = await connection.commit()
    connection.hasEnded = true
    if (command !== 'COMMIT') throw new AbortedTransactionError()
  }

  async rollbackTransaction(connection: ScopedConnection): Promise<void> {
    // A connection that does not answer is closed, which rolls back too.
    if (connection.hasEnded || connection.isBroken) return
    try {
      await connection.rollback()
      connection.hasEnded = true
    } catch {
      // The first error is the one that tells what went wrong.
    }
  }

  async releaseConnection(connection: ScopedConnection): Promise<void> {
    connection.release()
  }
}

class ScopedConnection implements DatabaseConnection {
  /** Set by a clean end of the transaction. */
  hasEnded = false
  /** The server no longer answers on it. */
  isBroken = false
  #client: pg.PoolClient
  /** What is kept prepared by the connection. */
  readonly #frequent: FrequentStatements
  readonly #timeoutMs: number
  #isReleased = false
  #isClosed = false
  /** What waits for the commit. */
  #last: CompiledQuery[] = []
  /** Until the transaction has begun. */
  #beginning: Beginning | undefined

  constructor(client: pg.PoolClient, timeoutMs: number, frequent: FrequentStatements, beginning?: Beginning) {
    this.#client = client
    this.#frequent = frequent
    this.#timeoutMs = timeoutMs
    this.#beginning = beginning
    // The pool listens only while a connection is idle; an error event that nobody hears ends the process.
    client.on('error', this.#onError)
  }

  readonly #onError = () => {
    this.isBroken = true
  }

  /** Runs statements without parameters in one round trip; returns the command tag of the last one. */
  async run(sql: string, timeoutMs: number): Promise<string> {
    const result = await this.#send({ text: sql, query_timeout: timeoutMs })
    return (Array.isArray(result) ? result.at(-1) : result).command
  }

  /** Runs statements without parameters in one round trip; the rows of the last one. */
  async rowsOfLast(sql: string): Promise<readonly Record<string, unknown>[]> {
    const result = await this.#send({ text: sql, query_timeout: this.#timeoutMs })
    return (Array.isArray(result) ? result.at(-1) : result).rows
  }

  /** The command tag of the commit, with which everything is sent that waits for it. */
  async commit(): Promise<string> {
    const last = this.#takeLast()
    if (this.#beginning && last.length === 0) return 'COMMIT' // of nothing
    // A commit is never sent twice: over a connection that turns out to be dead, its transaction begins before it.
    if (this.#beginning) await this.#begun({ text: 'select', query_timeout: BEGIN_TIMEOUT_MS })
    const before = last.map(each => statementBeforeCommit(each, this.#frequent.find(each.sql, each.parameters)?.name))
    if (before.length === 0) return this.run('commit', COMMIT_TIMEOUT_MS)
    const query_timeout = Math.max(this.#timeoutMs, COMMIT_TIMEOUT_MS)
    return (await this.#pipeline(before, { text: 'commit', query_timeout })).command
  }

  async rollback(): Promise<void> {
    if (!this.#beginning) await this.run('rollback', COMMIT_TIMEOUT_MS)
  }

  /** In the transaction; its first statement begins it. */
  async #begun(config: Sent): Promise<pg.QueryResult> {
    const beginning = this.#beginning
    if (!beginning) return this.#send(config)
    const { pool, begin } = beginning
    // Several statements in one text are for the simple protocol alone.
    const isSimple = config.name === undefined && !config.values?.length && config.text.includes(';')
    if (isSimple) {
      await this.#begun({ text: 'select', query_timeout: BEGIN_TIMEOUT_MS })
      return this.#send(config)
    }
    for (let attempt = 1; ; attempt += 1) {
      const started = performance.now()
      try {
        this.#beginning = undefined
        return await this.#pipeline(begin, config)
      } catch (error) {
        // After a restart of the server the pool may hold connections that are dead without knowing. What was sent on one was
        // not committed: another one takes its place.
        const wasDead = isEndOfConnection(error) && performance.now() - started < BEGIN_TIMEOUT_MS / 2
        if (!wasDead || attempt > pool.options.max) throw error
        await this.#replaceClient(pool)
      }
    }
  }

  async #replaceClient(pool: pg.Pool): Promise<void> {
    stopIfAborted()
    this.#close()
    this.#client = await pool.connect()
    this.#isClosed = false
    this.#client.on('error', this.#onError)
    this.isBroken = false
  }

  #takeLast(): readonly CompiledQuery[] {
    const last = this.#last
    this.#last = []
    return last
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    stopIfAborted()
    if (isSentWithCommit(query)) {
      this.#last.push(query)
      return { rows: [] }
    }
    for (const each of this.#takeLast()) await this.#execute(each)
    return this.#execute(query)
  }

  async #execute<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#frequent.find(text, parameters)?.name
    const config = {
      text,
      values: parameters as unknown[],
      query_timeout: this.#timeoutMs,
      ...(name === undefined ? {} : { name }),
    }
    const { command, rowCount, rows } = await this.#begun(config)
    const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    return isWrite ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows: rows ?? [] }
  }

  // biome-ignore lint/correctness/useYield: refuses
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: read page by page')
  }

  /** A prepared statement with its settings, in one round trip. */
  async rowsOfPrepared(settings: Settings, statement: PreparedStatement): Promise<readonly Record<string, unknown>[]> {
    const { text, name } = statement
    const config = { text, name, values: statement.values as unknown[], query_timeout: this.#timeoutMs }
    return (await this.#pipeline([settingStatement(settings)], config)).rows
  }

  #send(config: Sent) {
    return this.#submit(onEnd => new NamedQuery(config, onEnd, this.#frequent.forgetEvicted))
  }

  async #pipeline(before: readonly SilentStatement[], config: Sent): Promise<pg.QueryResult> {
    let query: PipelinedQuery | undefined
    try {
      return await this.#submit(onEnd => {
        query = new PipelinedQuery(before, config, onEnd, this.#frequent.forgetEvicted)
        return query
      })
    } catch (error) {
      if (query?.isBeforeOwn) this.isBroken = true
      throw error
    }
  }

  async #submit(make: (onEnd: Ended) => pg.Submittable) {
    // A query that somebody forgot to await must not run in the next transaction of this connection.
    if (this.#isReleased) throw new Error('the transaction has ended: await every query inside of it')
    // It may not have begun: what is sent now would be outside of it, and of its scope.
    if (this.isBroken) throw new Error('Connection terminated: it failed before')
    try {
      return await submit(this.#client, make)
    } catch (error) {
      if (isEndOfConnection(error)) this.isBroken = true
      throw error
    }
  }

  release(): void {
    this.#isReleased = true
    if (this.isBroken || !this.hasEnded) this.#close()
    else {
      this.#client.release()
      this.#client.off('error', this.#onError)
    }
  }

  /** A polite goodbye to a silent server would wait for its answer, and the next request for a place in the pool. */
  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    ;(this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    this.#client.release(true)
    this.#client.off('error', this.#onError)
  }
}

/** Not an answer of the server (the client's timeout, the connection is lost), or its last one. */
const isEndOfConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || error.severity === 'FATAL'

interface Beginning {
  readonly pool: pg.Pool
  readonly begin: readonly SilentStatement[]
}
type Sent = pg.QueryConfig & { query_timeout: number }
type Ended = (error: unknown, result: pg.QueryResult) => void

/** @throws what the client throws, with the stack of the caller */
async function submit(client: pg.PoolClient, make: (onEnd: Ended) => pg.Submittable): Promise<pg.QueryResult> {
  try {
    return await new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(make((error, result) => (error ? reject(error) : resolve(result))))
    })
  } catch (error) {
    // The stack of the socket's event says nothing.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** Above the time that the server gives such a statement itself. */
const ALONE_TIMEOUT_MS = 12_000

/** What a message of reading statements is sent as; the rows are those of the last one. */
type Ask = (connection: ScopedConnection) => Promise<readonly Record<string, unknown>[]>

/** Statements as text without parameters, the first of which sets the scope. */
export function sendAlone(pool: pg.Pool, frequent: FrequentStatements, text: string): ReturnType<Ask> {
  return readOnce(pool, frequent, connection => connection.rowsOfLast(text))
}

/** A prepared statement in the settings of its scope. */
export function sendPrepared(
  pool: pg.Pool,
  frequent: FrequentStatements,
  settings: Settings,
  statement: PreparedStatement,
): ReturnType<Ask> {
  return readOnce(pool, frequent, connection => connection.rowsOfPrepared(settings, statement))
}

/**
 * Reads over a connection of the pool. One that turns out to be dead, or whose plan no longer fits a table that was
 * changed meanwhile, is replaced: nothing was changed by it. A connection on which anything went wrong is closed.
 */
async function readOnce(pool: pg.Pool, frequent: FrequentStatements, ask: Ask): ReturnType<Ask> {
  for (let attempt = 1; ; attempt += 1) {
    stopIfAborted()
    const client = await pool.connect()
    const connection = new ScopedConnection(client, ALONE_TIMEOUT_MS, frequent)
    const started = performance.now()
    try {
      const rows = await ask(connection)
      connection.hasEnded = true
      return rows
    } catch (error) {
      const wasDead = connection.isBroken && performance.now() - started < BEGIN_TIMEOUT_MS / 2
      if (!(wasDead || isOldPlan(error)) || attempt > pool.options.max) throw error
    } finally {
      connection.release()
    }
  }
}

/** "cached plan must not change result type" */
function isOldPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}
