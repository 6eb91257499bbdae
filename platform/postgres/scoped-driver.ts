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

/** Added to the server's own time limit: the client gives up when the server does not respond at all. */
const EXTRA_CLIENT_TIMEOUT_MS = 2_000
const BEGIN_TIMEOUT_MS = 4_000
const COMMIT_TIMEOUT_MS = 8_000

export interface ScopedDriverOptions {
  readonly pool: pg.Pool
  /** Statements that begin the transaction and set its scope, sent with its first statement. */
  readonly begin: readonly SilentStatement[]
  readonly statementTimeoutMs: number
  readonly frequent: FrequentStatements
}

/**
 * A Kysely dialect for a single transaction in a scope. A connection returns to the pool only after a clean end;
 * otherwise it is closed.
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

  /** Nothing is sent: BEGIN travels with the first statement. */
  async beginTransaction(): Promise<void> {}

  /** After a failed statement, COMMIT answers ROLLBACK without an error: nothing was saved, so this throws. */
  async commitTransaction(connection: ScopedConnection): Promise<void> {
    stopIfAborted() // a caller that saw the abort relies on nothing being saved
    const command = await connection.commit()
    connection.hasEnded = true
    if (command !== 'COMMIT') throw new AbortedTransactionError()
  }

  async rollbackTransaction(connection: ScopedConnection): Promise<void> {
    // Closing a connection that does not answer also rolls back.
    if (connection.hasEnded || connection.isBroken) return
    try {
      await connection.rollback()
      connection.hasEnded = true
    } catch {
      // The first error says what went wrong.
    }
  }

  async releaseConnection(connection: ScopedConnection): Promise<void> {
    connection.release()
  }
}

class ScopedConnection implements DatabaseConnection {
  /** The transaction ended cleanly. */
  hasEnded = false
  /** The server no longer answers on it. */
  isBroken = false
  #client: pg.PoolClient
  /** Prepared statements of the pool's connections. */
  readonly #frequent: FrequentStatements
  readonly #timeoutMs: number
  #isReleased = false
  #isClosed = false
  /** Statements that are sent with the commit. */
  #last: CompiledQuery[] = []
  /** Undefined as soon as the transaction has begun on the server. */
  #beginning: Beginning | undefined

  constructor(client: pg.PoolClient, timeoutMs: number, frequent: FrequentStatements, beginning?: Beginning) {
    this.#client = client
    this.#frequent = frequent
    this.#timeoutMs = timeoutMs
    this.#beginning = beginning
    // The pool only listens to idle connections; an error event without a listener ends the process.
    client.on('error', this.#onError)
  }

  readonly #onError = () => {
    this.isBroken = true
  }

  /** Runs statements without parameters in one round trip and returns the command tag of the last one. */
  async run(sql: string, timeoutMs: number): Promise<string> {
    const result = await this.#send({ text: sql, query_timeout: timeoutMs })
    return (Array.isArray(result) ? result.at(-1) : result).command
  }

  /** Runs statements without parameters in one round trip and returns the rows of the last one. */
  async rowsOfLast(sql: string): Promise<readonly Record<string, unknown>[]> {
    const result = await this.#send({ text: sql, query_timeout: this.#timeoutMs })
    return (Array.isArray(result) ? result.at(-1) : result).rows
  }

  /** Sends the deferred statements with COMMIT and returns its command tag. */
  async commit(): Promise<string> {
    const last = this.#takeLast()
    if (this.#beginning && last.length === 0) return 'COMMIT' // nothing was sent, so there is nothing to commit
    // A commit is never repeated. So the transaction begins first, which finds a dead connection.
    if (this.#beginning) await this.#begun({ text: 'select', query_timeout: BEGIN_TIMEOUT_MS })
    const before = last.map(each => statementBeforeCommit(each, this.#frequent.find(each.sql, each.parameters)?.name))
    if (before.length === 0) return this.run('commit', COMMIT_TIMEOUT_MS)
    const query_timeout = Math.max(this.#timeoutMs, COMMIT_TIMEOUT_MS)
    return (await this.#pipeline(before, { text: 'commit', query_timeout })).command
  }

  async rollback(): Promise<void> {
    if (!this.#beginning) await this.run('rollback', COMMIT_TIMEOUT_MS)
  }

  /** Runs a statement in the transaction, which begins with the first one. */
  async #begun(config: Sent): Promise<pg.QueryResult> {
    const beginning = this.#beginning
    if (!beginning) return this.#send(config)
    const { pool, begin } = beginning
    // Several statements in one text work only in the simple protocol.
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
        // After a restart of the server the pool may hold dead connections. Nothing was committed, so another
        // connection is used.
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

  /** Runs a prepared statement with its settings in one round trip. */
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
    // A query that was not awaited must not run in the next transaction of this connection.
    if (this.#isReleased) throw new Error('the transaction has ended: await every query inside of it')
    // A new connection might be outside of the transaction and its scope.
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

  /** Destroys the socket. An orderly end would wait for a silent server. */
  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    ;(this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    this.#client.release(true)
    this.#client.off('error', this.#onError)
  }
}

/** Whether the connection is lost: the error does not come from the server, or the server closed the connection. */
const isEndOfConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || error.severity === 'FATAL'

interface Beginning {
  readonly pool: pg.Pool
  readonly begin: readonly SilentStatement[]
}
type Sent = pg.QueryConfig & { query_timeout: number }
type Ended = (error: unknown, result: pg.QueryResult) => void

/** @throws the client's error, with the stack of our caller */
async function submit(client: pg.PoolClient, make: (onEnd: Ended) => pg.Submittable): Promise<pg.QueryResult> {
  try {
    return await new Promise<pg.QueryResult>((resolve, reject) => {
      client.query(make((error, result) => (error ? reject(error) : resolve(result))))
    })
  } catch (error) {
    // The original stack only shows the socket's event handler.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** Longer than the server's own limit for such a statement. */
const ALONE_TIMEOUT_MS = 12_000

/** How a message of reading statements is sent; the rows are those of the last one. */
type Ask = (connection: ScopedConnection) => Promise<readonly Record<string, unknown>[]>

/** Sends statements as text without parameters. The first one sets the scope. */
export function sendAlone(pool: pg.Pool, frequent: FrequentStatements, text: string): ReturnType<Ask> {
  return readOnce(pool, frequent, connection => connection.rowsOfLast(text))
}

/** Sends a prepared statement with the settings of its scope. */
export function sendPrepared(
  pool: pg.Pool,
  frequent: FrequentStatements,
  settings: Settings,
  statement: PreparedStatement,
): ReturnType<Ask> {
  return readOnce(pool, frequent, connection => connection.rowsOfPrepared(settings, statement))
}

/**
 * Runs a read on a pooled connection. A dead connection, or one whose plan no longer fits a changed table, is replaced
 * and the read repeated, because it changed nothing. A connection with any error is closed.
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
