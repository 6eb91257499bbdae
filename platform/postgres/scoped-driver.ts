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
import { type FrequentStatements, PreparedRead, type PreparedStatement, type Settings } from './prepared-read.ts'
import { CommitWith, isSentWithCommit, lastStatement } from './sent-with-commit.ts'

/** Above the server's own limit: answers when the server cannot, because it went silent. */
const EXTRA_CLIENT_TIMEOUT_MS = 2_000
const BEGIN_TIMEOUT_MS = 4_000
const COMMIT_TIMEOUT_MS = 8_000

export interface ScopedDriverOptions {
  readonly pool: pg.Pool
  /** Statements that begin the transaction and set its scope. */
  readonly begin: string
  readonly statementTimeoutMs: number
  readonly frequent: FrequentStatements
}

/**
 * A Kysely dialect for exactly one transaction, whose beginning sets the scope. A connection goes back to the pool only
 * after a clean end; whatever else happened to it, it is closed.
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

  /**
   * A connection whose transaction has begun. After a restart of the server the pool may hold connections that are
   * dead without knowing; as nothing was done on them yet, another one takes their place.
   */
  async acquireConnection(): Promise<ScopedConnection> {
    for (let attempt = 1; ; attempt += 1) {
      stopIfAborted()
      const client = await this.#options.pool.connect()
      const { statementTimeoutMs, frequent } = this.#options
      const connection = new ScopedConnection(client, statementTimeoutMs + EXTRA_CLIENT_TIMEOUT_MS, frequent)
      const started = performance.now()
      try {
        await connection.run(this.#options.begin, BEGIN_TIMEOUT_MS)
        return connection
      } catch (error) {
        connection.release()
        const wasDead = connection.isBroken && performance.now() - started < BEGIN_TIMEOUT_MS / 2
        if (!wasDead || attempt > this.#options.pool.options.max) throw error
      }
    }
  }

  /** Has begun already, see above. */
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
      await connection.run('rollback', COMMIT_TIMEOUT_MS)
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
  readonly #client: pg.PoolClient
  /** What is kept prepared by the connection. */
  readonly #frequent: FrequentStatements
  readonly #timeoutMs: number
  #isReleased = false
  /** What waits for the commit. */
  #last: CompiledQuery[] = []

  constructor(client: pg.PoolClient, timeoutMs: number, frequent: FrequentStatements) {
    this.#client = client
    this.#frequent = frequent
    this.#timeoutMs = timeoutMs
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
    if (this.#last.length === 0) return this.run('commit', COMMIT_TIMEOUT_MS)
    const frequent = this.#frequent
    const last = this.#takeLast().map(each => lastStatement(each, frequent.find(each.sql, each.parameters)?.name))
    try {
      const timeoutMs = Math.max(this.#timeoutMs, COMMIT_TIMEOUT_MS)
      return (await this.#submit(onEnd => new CommitWith(last, timeoutMs, onEnd, frequent.forgetEvicted))).command
    } catch (error) {
      this.isBroken = true
      throw error
    }
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
    const { command, rowCount, rows } = await this.#send(config)
    const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    return isWrite ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows: rows ?? [] }
  }

  // biome-ignore lint/correctness/useYield: refuses
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: read page by page')
  }

  /** A prepared statement with its settings, in one round trip. */
  async rowsOfPrepared(settings: Settings, statement: PreparedStatement): Promise<readonly Record<string, unknown>[]> {
    const { forgetEvicted } = this.#frequent
    const result = await this.#submit(
      onEnd => new PreparedRead(settings, statement, this.#timeoutMs, onEnd, forgetEvicted),
    )
    return result.rows
  }

  #send(config: pg.QueryConfig & { query_timeout: number }) {
    return this.#submit(onEnd => new NamedQuery(config, onEnd, this.#frequent.forgetEvicted))
  }

  async #submit(make: (onEnd: Ended) => pg.Submittable) {
    // A query that somebody forgot to await must not run in the next transaction of this connection.
    if (this.#isReleased) throw new Error('the transaction has ended: await every query inside of it')
    try {
      return await submit(this.#client, make)
    } catch (error) {
      // Not an answer of the server (the client's timeout, the connection is lost), or its last one.
      if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') this.isBroken = true
      throw error
    }
  }

  release(): void {
    this.#isReleased = true
    const mustClose = this.isBroken || !this.hasEnded
    // A polite goodbye to a silent server would wait for its answer, and the next request for a place in the pool.
    if (mustClose)
      (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    this.#client.release(mustClose)
    this.#client.off('error', this.#onError)
  }
}

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
