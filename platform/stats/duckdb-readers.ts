import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { duckDbError } from './duckdb-error.ts'
import type { QueryOptions } from './port.ts'
import { StatsTimeoutError } from './stats-store-error.ts'

const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Connections for readers: one per concurrent query, kept for the next one. A running query holds a thread of Node's
 * pool, which file access and password hashing share: therefore a limit, and a queue in order of arrival.
 * Tested by `platform/stats/duckdb-store.test.ts`.
 */
export class DuckDbReaders {
  readonly #db: DuckDBInstance
  readonly #limit: number
  readonly #idle: DuckDBConnection[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #drained: (() => void) | undefined
  #closed = false

  constructor(db: DuckDBInstance, limit: number) {
    this.#db = db
    this.#limit = limit
  }

  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the statistics store is closed')
    if (this.#busy >= this.#limit) await new Promise<void>(turn => this.#waiting.push(turn))
    else this.#busy += 1
    return this.#onConnection(work)
  }

  /** The same at once, for a reader that has a connection already and must not wait for another; undefined: all are in use. */
  onSpare<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> | undefined {
    if (this.#closed || this.#busy >= this.#limit) return undefined
    this.#busy += 1
    return this.#onConnection(work)
  }

  async #onConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    try {
      const connection = this.#idle.pop() ?? (await this.#db.connect())
      try {
        return await work(connection)
      } finally {
        this.#idle.push(connection)
      }
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy -= 1
      if (this.#busy === 0) this.#drained?.()
    }
  }

  /** Lets running and waiting readers finish, refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#busy > 0) await new Promise<void>(resolve => (this.#drained = resolve))
    for (const connection of this.#idle.splice(0)) connection.closeSync()
  }
}

/** Runs a statement and stops it in the engine when its time is over or its caller gave up. */
export async function stoppable<T>(
  connection: DuckDBConnection,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: QueryOptions,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    connection.interrupt()
  }, timeoutMs)
  const interrupt = () => connection.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    return await run()
  } catch (cause) {
    signal?.throwIfAborted()
    if (isLate) throw new StatsTimeoutError(`the statement was stopped after ${timeoutMs} ms`, { cause })
    throw duckDbError(cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', interrupt)
  }
}
